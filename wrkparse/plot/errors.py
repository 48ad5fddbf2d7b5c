"""The errors that figures raise."""


class NothingToPlotError(ValueError):
    """The data has nothing to draw. The message says what is missing."""


class TooManyPanelsError(NothingToPlotError):
    """The panels of a figure would not fit a page. The message says which options leave fewer.

    ``where`` is a condition that leaves those of the first panel.
    """

    def __init__(self, message: str, where: str) -> None:
        super().__init__(message)
        self.where = where
