"""Collects the lines near runs that are neither headings nor titles, and finds the words in which they differ."""
