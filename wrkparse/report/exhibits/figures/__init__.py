"""Figures of a report, with captions and alternative texts."""
