"""Commands that write figures and reports."""
