"""Throughput over the number of cores: curves, scalability laws, limits."""
