"""Summaries of figures over queries."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats


def means_over_queries(
    columns: Mapping[str, Floats], in_truth: NDArray[np.bool_]
) -> dict[str, float | None]:
    """Each figure's mean over the truth's queries for which it is defined; None without any.

    Parameters
    ----------
    columns : mapping of str to (Q,) float
        Each figure by its name, in its unit; NaN where undefined.
    in_truth : (Q,) bool
        Whether the truth has a region of a query.

    Examples
    --------
    >>> figures = {"recall": np.array([0.5, 1.0, np.nan, 0.0])}
    >>> means_over_queries(figures, np.array([True, True, True, False]))
    {'recall': 0.75}
    """
    means: dict[str, float | None] = {}
    for name, values in columns.items():
        there = in_truth & ~np.isnan(values)
        means[name] = float(values[there].mean()) if there.any() else None
    return means


def defined_queries(columns: Mapping[str, Floats], in_truth: NDArray[np.bool_]) -> dict[str, int]:
    """For how many of the truth's queries each figure is defined.

    Parameters
    ----------
    columns : mapping of str to (Q,) float
        Each figure by its name, in its unit; NaN where undefined.
    in_truth : (Q,) bool
        Whether the truth has a region of a query.

    Examples
    --------
    >>> defined_queries({"recall": np.array([0.5, np.nan, 0.0])}, np.array([True, True, False]))
    {'recall': 1}
    """
    return {name: int((in_truth & ~np.isnan(values)).sum()) for name, values in columns.items()}
