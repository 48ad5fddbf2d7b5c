"""Figures of latency distributions."""
