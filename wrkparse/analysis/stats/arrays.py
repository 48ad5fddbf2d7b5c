"""Types of NumPy arrays that the analyses share."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Indices = npt.NDArray[np.int64]
TextArray = npt.NDArray[np.str_]
