"""The error that figures raise."""


class NothingToPlotError(ValueError):
    """The data has nothing to draw. The message says what is missing."""
