"""Figures of throughput over cores."""
