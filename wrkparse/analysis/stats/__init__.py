"""Statistics and interval arithmetic on plain numbers and arrays."""
