"""Reads settings, names and the numbers of repeats from titles and from the names of folders and files."""
