"""Products of tall tables, in pieces so small that the linear algebra library starts no threads.

A product of a few million operations takes a millisecond. With threads that other programs keep
from running it takes many, which slows iterations down a hundred times on a busy machine.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spotlab.arrays import Floats

ALONE = 200_000  # operations of a product of matrices up to which OpenBLAS starts no threads
ALONE_VECTOR = 9_000  # of a product with a vector


def multiply(table: Any, values: Floats) -> Floats:
    """Multiply ``table @ values``, piece by piece.

    Parameters
    ----------
    table : (M, S) float array or sparse array
        Many rows, few columns.
    values : (S,) or (S, G) float
        One factor, or several, per column.

    Returns
    -------
    (M,) or (M, G) float
        Equal to ``table @ values`` up to rounding.

    Examples
    --------
    >>> multiply(np.ones((3, 2)), np.array([1.0, 2.0])).tolist()
    [3.0, 3.0, 3.0]
    """
    if not isinstance(table, np.ndarray):
        return np.asarray(table @ values)
    rows, columns = table.shape
    size = _size(columns, values)
    whole = rows - rows % size
    if whole < size:
        return np.asarray(table @ values)
    pieces = table[:whole].reshape(-1, size, columns) @ values
    product = np.empty((rows, *values.shape[1:]))
    product[:whole] = pieces.reshape(whole, *values.shape[1:])
    product[whole:] = table[whole:] @ values
    return product


def multiply_transposed(table: Any, values: Floats) -> Floats:
    """Multiply ``table.T @ values``, piece by piece.

    Parameters
    ----------
    table : (M, S) float array or sparse array
        Many rows, few columns.
    values : (M,) or (M, G) float
        One factor, or several, per row.

    Returns
    -------
    (S,) or (S, G) float
        Equal to ``table.T @ values`` up to rounding.

    Examples
    --------
    >>> multiply_transposed(np.ones((3, 2)), np.array([1.0, 2.0, 3.0])).tolist()
    [6.0, 6.0]
    """
    if not isinstance(table, np.ndarray):
        return np.asarray(table.T @ values)
    rows, columns = table.shape
    size = _size(columns, values)
    whole = rows - rows % size
    if whole < size:
        return np.asarray(table.T @ values)
    flat = values.reshape(rows, -1)
    turned = table[:whole].reshape(-1, size, columns).transpose(0, 2, 1)
    product = (turned @ flat[:whole].reshape(-1, size, flat.shape[1])).sum(axis=0)
    product += table[whole:].T @ flat[whole:]
    return np.asarray(product.reshape(columns, *values.shape[1:]))


def _size(columns: int, values: Floats) -> int:
    """Number of rows of a piece."""
    if values.ndim == 1 or values.shape[1] == 1:
        return max(ALONE_VECTOR // max(columns, 1), 1)
    return max(ALONE // max(columns * int(values.shape[1]), 1), 1)
