"""Titles, and names of folders and files, as settings, names and repeats."""
