"""Paths to tables, in memory or in a store, by one process or several."""
