"""The document tree of an executed notebook."""
