"""Reads the report of ab, its HTML, and the files of -g and -e."""
