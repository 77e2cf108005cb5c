"""Weights of every system, ⊤, ⊥ and the oracle, from those that a person gives by name."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

TOP, BOTTOM = "top", "bottom"  # the systems that vote for everything and for nothing
SYMBOLS = {"⊤": TOP, "⊥": BOTTOM}


def weigh(
    systems: Sequence[str], given: Mapping[str, float] | None = None, oracle: str | None = None
) -> dict[str, float]:
    """Compute weights κ that sum to 1, of all systems, then of ⊤ and ⊥.

    Parameters
    ----------
    systems : sequence of str
        Names of all that vote, the oracle among them.
    given : mapping of str to float
        Weights by the names of systems, ``top`` (or ⊤) and ``bottom`` (or ⊥); a system of that name
        takes precedence.
    oracle : str, optional
        Name of the oracle.

    Returns
    -------
    dict of str to float
        In [0, 1].

    Raises
    ------
    ValueError
        If there is no such name, a weight is negative or not finite, or all are 0.

    Notes
    -----
    Lamiroy & Sun (2013), eq. 13. Systems without a weight share equally what is left of 1: weights
    are uniform (eq. 10) if none is given, and zeros for ``top`` and ``bottom`` make vote shares.
    If the given weights sum to 1 or more, the others get nothing and all are scaled to sum to 1. An
    oracle without a weight gets all that is left: undisputed truth if none is given.

    Examples
    --------
    >>> weigh(["a", "b"])
    {'a': 0.25, 'b': 0.25, 'top': 0.25, 'bottom': 0.25}
    >>> weigh(["a", "b"], {"a": 0.5, "top": 0})
    {'a': 0.5, 'b': 0.25, 'top': 0.0, 'bottom': 0.25}
    >>> weigh(["a", "b"], {"a": 3, "b": 1})
    {'a': 0.75, 'b': 0.25, 'top': 0.0, 'bottom': 0.0}
    >>> weigh(["a", "gold"], oracle="gold")
    {'a': 0.0, 'gold': 1.0, 'top': 0.0, 'bottom': 0.0}
    """
    names = _names(systems)
    known = _by_name(given or {}, names)
    if oracle is not None and oracle not in known:
        known[oracle] = max(0.0, 1.0 - sum(known.values()))
    left = [name for name in names if name not in known]
    sum_given = sum(known.values())
    if left:
        rest = max(0.0, 1.0 - sum_given) / len(left)
        known |= dict.fromkeys(left, rest)
    whole = math.fsum(known.values())
    if not whole > 0:
        raise ValueError("all weights are 0; expected one above 0")
    scale = 1.0 if math.isclose(whole, 1.0, abs_tol=1e-12) else whole
    return {name: known[name] / scale for name in names}


def virtual_names(systems: Sequence[str]) -> tuple[str, str]:
    """Names of ⊤ and ⊥ beside these systems.

    Parameters
    ----------
    systems : sequence of str
        Names of the systems.

    Returns
    -------
    (str, str)
        "top" and "bottom", or the symbols where a system has that name.

    Examples
    --------
    >>> virtual_names(["a", "top"])
    ('⊤', 'bottom')
    """
    top = "⊤" if TOP in systems else TOP
    return top, "⊥" if BOTTOM in systems else BOTTOM


def _names(systems: Sequence[str]) -> tuple[str, ...]:
    return (*systems, *virtual_names(systems))


def _by_name(given: Mapping[str, float], names: Sequence[str]) -> dict[str, float]:
    weights: dict[str, float] = {}
    for name, weight in given.items():
        known = name if name in names else SYMBOLS.get(name, name)
        if known not in names:
            there = ", ".join(names)
            raise ValueError(
                f"a weight is given for {name!r}, which is not a system; the systems are {there}"
            )
        if known in weights:
            raise ValueError(f"{name!r} has two weights; expected one")
        if not (math.isfinite(weight) and weight >= 0):
            raise ValueError(f"the weight of {name!r} is {weight:g}; expected 0 or more")
        weights[known] = float(weight)
    return weights
