"""Checks of the numbers in one report."""
