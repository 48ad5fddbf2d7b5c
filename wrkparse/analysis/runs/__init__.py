"""Selects runs and metrics, and finds the labels in which runs differ and the latencies that they print."""
