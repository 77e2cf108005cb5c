"""Whether an array that comes from a file has the type and the shape that code relies on."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray


def has_form(array: NDArray[Any], kind: DTypeLike, *shape: int | None) -> bool:
    """Tell whether an array has this very type and shape.

    Parameters
    ----------
    array : ndarray
        Any shape.
    kind : dtype
        The type that is expected.
    *shape : int or None
        The length of each axis; None stands for any length.

    Returns
    -------
    bool

    Examples
    --------
    >>> has_form(np.zeros((3, 2)), np.float64, None, 2), has_form(np.zeros(3), np.int64, 3)
    (True, False)
    """
    if array.dtype != np.dtype(kind) or array.ndim != len(shape):
        return False
    return all(want in (None, has) for want, has in zip(shape, array.shape, strict=True))
