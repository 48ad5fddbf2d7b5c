"""Reads reports: which line belongs to which report, where one ends and the next begins."""
