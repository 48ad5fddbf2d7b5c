"""The garbage collector, from gctrace."""
