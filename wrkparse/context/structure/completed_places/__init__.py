"""Completes the places of runs before they are compared: titles, captions, loops, warm-ups, runtimes."""
