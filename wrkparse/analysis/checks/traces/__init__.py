"""Checks of the lines of one trace."""
