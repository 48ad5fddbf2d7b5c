"""Finds the factors, the slots in which runs differ, and the one that names the framework."""
