"""The Go runtime's traces: gctrace, schedtrace and the lines that other GODEBUG settings add."""
