"""Judges and shortens the names in one slot: states, versions, halves, words of task runners, sentences."""
