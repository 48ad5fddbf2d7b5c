"""Logs that grow, are rotated or renamed."""
