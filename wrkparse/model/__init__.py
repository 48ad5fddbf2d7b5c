"""Values that pass from one part to the next: records of what was read, and numbers in base units."""
