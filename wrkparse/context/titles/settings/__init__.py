"""Takes settings out of titles and paths: assignments, counts with their nouns, addresses, flags, stated words."""
