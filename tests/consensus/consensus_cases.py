"""Votes to judge systems by, and their figures straight from the definition."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies

from spotlab.arrays import Floats
from spotlab.consensus.precision import Weights
from spotlab.consensus.votes import Votes

# Lamiroy & Sun (2013), Table 1
TABLE = np.array(
    [[1, 1, 1], [1, 1, 1], [0, 1, 0], [1, 0, 0], [1, 0, 0], [0, 0, 1], [0, 0, 0]], float
)
BINARY = (0.0, 1.0)
UNKNOWN = (0.0, 1.0, np.nan)
SOFT = (0.0, 0.25, 0.5, 1.0, np.nan)  # exact as float32


@strategies.composite
def tables(draw: strategies.DrawFn, values: tuple[float, ...]) -> Floats:
    """(N, S) votes out of these values, N and S from 0."""
    items, systems = draw(strategies.integers(0, 70)), draw(strategies.integers(0, 5))
    seed = draw(strategies.integers(0, 2**32 - 1))
    return np.random.default_rng(seed).choice(values, (items, systems))


@strategies.composite
def weighted(draw: strategies.DrawFn, systems: int) -> Weights:
    """Weights of so many systems, 0 among them."""
    some = strategies.sampled_from([0.0, 0.5, 1.0, 3.0])
    every = draw(strategies.lists(some, min_size=systems + 2, max_size=systems + 2))
    return Weights(np.array(every[:systems]), every[-2], every[-1])


def names(systems: int) -> list[str]:
    return [f"s{number}" for number in range(systems)]


def votes_of(table: Floats) -> Votes:
    return Votes.of(table, names(table.shape[1]))


def listed(table: Floats) -> Votes:
    """The same votes from a list of them; complete ones if nothing is unknown."""
    system_names = names(table.shape[1])
    if np.isin(table, BINARY).all():
        return Votes.sparse(*np.nonzero(table), len(table), system_names)
    item, system = np.nonzero(~np.isnan(table))
    return Votes.sparse(item, system, len(table), system_names, table[item, system])


def by_definition(table: Floats, weights: Weights, beta: float = 1.0) -> tuple[Floats, Floats]:
    """P(δ) of every item, and (4, S + 1) precision, recall, F, ΣP item by item; ⊤ last."""
    items, systems = table.shape
    chance = np.full(items, np.nan)
    for item in range(items):
        above, below = weights.top, weights.top + weights.bottom
        for system in range(systems):
            if not np.isnan(table[item, system]):
                above += weights.systems[system] * table[item, system]
                below += weights.systems[system]
        if below > 0:
            chance[item] = above / below
    figures = np.full((4, systems + 1), np.nan)
    for system in range(systems + 1):
        shared = retrieved = possible = 0.0
        for item in range(items):
            vote = 1.0 if system == systems else table[item, system]
            if not np.isnan(vote) and not np.isnan(chance[item]):
                shared += chance[item] * vote
                retrieved += vote
                possible += chance[item]
        whole = beta * beta * possible + retrieved
        figures[:, system] = (
            shared / retrieved if retrieved else np.nan,
            shared / possible if possible else np.nan,
            (1 + beta * beta) * shared / whole if whole else np.nan,
            possible,
        )
    return chance, figures
