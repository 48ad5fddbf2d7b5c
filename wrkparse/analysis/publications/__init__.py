"""Published tables and claims, checked against raw runs."""
