"""Reading by several threads, processes or machines."""
