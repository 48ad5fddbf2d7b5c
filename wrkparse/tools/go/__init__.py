"""Reads the traces of the Go runtime (gctrace, schedtrace, lines of other GODEBUG settings) and Go benchmarks."""
