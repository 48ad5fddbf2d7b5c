"""Many lines of a few shapes to columns."""
