"""A document as a PDF or as an HTML page."""
