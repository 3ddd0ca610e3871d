"""Arrays as a page reads them."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

import numpy as np
from numpy.typing import NDArray

Json = dict[str, Any]
"""what `json.dumps` takes, without NaN"""


def packed(values: NDArray[Any]) -> Json:
    """An array as its shape and its numbers: float32, little end first, row by row, in base64; NaN where nothing is known."""
    numbers = np.ascontiguousarray(values, dtype="<f4")
    return {"shape": list(numbers.shape), "f32": b64encode(numbers.tobytes()).decode("ascii")}


def plain(values: NDArray[Any]) -> Any:
    """A short array as lists of numbers; None where nothing is known."""
    numbers = np.asarray(values, dtype=np.float64).astype(object)
    numbers[~np.isfinite(np.asarray(values, dtype=np.float64))] = None
    return numbers.tolist()
