"""A comparison in words."""
