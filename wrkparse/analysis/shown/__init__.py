"""Numbers and tables as text for people."""
