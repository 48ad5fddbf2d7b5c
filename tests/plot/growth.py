"""Rates that grow with cores by a known law."""

from __future__ import annotations

import numpy as np

N = np.array([1, 2, 4, 8, 16, 32], float)
# λ = 1000, σ = 0.05, κ = 0.001, with errors of a few per mille.
RATES = 1000 * N / (1 + 0.05 * (N - 1) + 0.001 * N * (N - 1)) * np.array([1.004, 0.997, 1.002, 0.996, 1.003, 0.999])


def usl(n: np.ndarray, scale: float, sigma: float, kappa: float) -> np.ndarray:
    return scale * n / (1 + sigma * (n - 1) + kappa * n * (n - 1))
