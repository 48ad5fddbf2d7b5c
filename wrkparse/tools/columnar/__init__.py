"""Decodes many lines of a few shapes into columns."""
