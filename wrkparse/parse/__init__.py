"""Blocks of text to runs, batches of events and diagnostics."""
