"""Finds the commands of shell sessions, and their effects on the runs below them."""
