"""The values that pass between the packages: records, and numbers in base units."""
