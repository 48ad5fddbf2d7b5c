"""Reads the slots of the places of runs: names, numbers and settings in folders, files, headings and titles."""
