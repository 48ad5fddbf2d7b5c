"""Runs compared with each other, cell by cell."""
