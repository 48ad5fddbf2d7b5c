"""The cells of a comparison, their numbers and their order."""
