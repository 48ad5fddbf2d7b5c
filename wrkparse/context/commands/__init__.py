"""Commands of shell sessions, and what they do to the runs below them."""
