"""Reads the reports of wrk, wrk2 and programs that print the same report."""
