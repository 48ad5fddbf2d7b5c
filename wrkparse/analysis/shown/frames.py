"""Frames of numbers that people read first as a text."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd


class ShownFrame(pd.DataFrame):
    """A DataFrame that `print` and notebooks show as a text with units. What is made of it is an ordinary DataFrame."""

    @property
    def _constructor(self) -> Callable[..., pd.DataFrame]:
        return pd.DataFrame

    def _text(self) -> str:
        """What is shown of rows."""
        raise NotImplementedError

    def _html(self) -> str:
        """The same as HTML."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return self._text() if len(self) else "no runs"

    def _repr_html_(self) -> str:
        return self._html() if len(self) else "<p>no runs</p>"
