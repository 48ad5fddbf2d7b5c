"""Reads traces: the event lines of processes, found in blocks and lines."""
