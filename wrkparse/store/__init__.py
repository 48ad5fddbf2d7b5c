"""Stores: the tables in a DuckDB file or in a directory of Parquet files."""
