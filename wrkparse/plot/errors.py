"""The error of all figures."""


class NothingToPlotError(ValueError):
    """The data holds nothing to draw; the message says what is missing."""
