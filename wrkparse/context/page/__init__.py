"""Follows the headings, titles, commands and settings that hold at each line of a page."""
