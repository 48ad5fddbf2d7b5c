"""Figures of Go processes: garbage collection, minimum mutator utilisation, scheduler."""
