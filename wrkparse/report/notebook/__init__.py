"""Notebooks: which there are, and how one is executed."""
