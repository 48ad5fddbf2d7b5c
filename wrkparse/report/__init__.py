"""Makes reports from notebooks: executes a notebook, and writes its tables and figures as PDF, HTML or Markdown."""
