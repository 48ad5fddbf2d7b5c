"""Writes a document as PDF, as an HTML page, or as Markdown."""
