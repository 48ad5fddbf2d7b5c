"""Provides the tables as pandas DataFrames, from memory or from a store."""

from wrkparse.dataset.dataset import Dataset
from wrkparse.dataset.frames import to_pandas
from wrkparse.dataset.queries.errors import NoLabelError, QueryError
from wrkparse.dataset.wide import column_name

__all__ = ["Dataset", "NoLabelError", "QueryError", "column_name", "to_pandas"]
