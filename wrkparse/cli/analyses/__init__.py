"""Commands that print an analysis of the runs."""
