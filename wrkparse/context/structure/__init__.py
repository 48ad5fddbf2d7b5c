"""Derives labels from the places of runs among each other."""
