"""Garbage collector and scheduler of Go processes, from gctrace and schedtrace."""
