"""Finding and opening what is read, and cutting it into blocks of whole lines."""
