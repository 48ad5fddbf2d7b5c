"""The error that report functions raise."""


class ReportError(Exception):
    """No report can be made of a notebook; the message names the notebook and the cell, and says what to do."""
