"""Notebooks into reports: tables and figures with captions, a notebook executed, a PDF, a page in HTML."""
