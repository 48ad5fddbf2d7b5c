"""Which runs and metrics are analysed, which labels differ between them, and the latencies that they print."""
