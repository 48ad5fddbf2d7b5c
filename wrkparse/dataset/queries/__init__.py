"""SQL on the tables of a dataset."""
