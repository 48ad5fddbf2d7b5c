"""What a comparison says, in sentences."""
