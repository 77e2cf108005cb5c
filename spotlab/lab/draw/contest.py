"""A contest of text pipelines on few engines, where an engine's errors are common to its pipelines.

What Lamiroy & Sun (2013, §4.3, Fig. 3) saw with real systems, with the truth known: pipelines of a
worse engine that always errs the same way confirm each other, and judge the others by it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from spotlab.arrays import Flags, Floats, Ints
from spotlab.consensus.votes import Votes
from spotlab.formats.votes.format import VoteTable

DIFFICULTY = 0.35  # how much a token's difficulty, common to all engines, moves an engine's odds
LOST_AS_WRONG = 0.7  # of the tokens that preparing the page destroyed, read as something wrong
LUCKY = 0.35  # of an engine's own errors, read right by a pipeline nevertheless


@dataclass(frozen=True)
class ContestEngine:
    """A text recogniser that several pipelines run on.

    Attributes
    ----------
    name : str
    pipelines : int
        Each has another way to prepare the page; the first ways are common to all engines.
    accuracy : float
        Share of the tokens that it reads right.
    bias : float
        Share of its errors that are the same wrong token in all its pipelines.
    """

    name: str
    pipelines: int
    accuracy: float
    bias: float


TWO_ENGINES = (ContestEngine("good", 12, 0.80, 0.10), ContestEngine("biased", 12, 0.62, 0.85))
THREE_ENGINES = (
    ContestEngine("good", 8, 0.80, 0.10),
    ContestEngine("middling", 8, 0.70, 0.50),
    ContestEngine("biased", 8, 0.62, 0.85),
)


@dataclass(frozen=True, eq=False)
class Contest:
    """Votes of pipelines on tokens, and the truth.

    Attributes
    ----------
    votes : Votes
        An item is a token at its place, right or wrong, that some pipeline read.
    truth : (N,) float
        1 where the token is right.
    engine : tuple of str
        The engine of every pipeline.
    place : (N,) int
        The place in the text that the item is a reading of.
    """

    votes: Votes
    truth: Floats
    engine: tuple[str, ...]
    place: Ints


def simulate_contest(
    engines: Sequence[ContestEngine] = TWO_ENGINES,
    tokens: int = 800,
    seed: int = 0,
    noise: tuple[float, float] = (0.04, 0.16),
) -> Contest:
    """Let pipelines read a text.

    Parameters
    ----------
    engines : sequence of ContestEngine
        Names all different.
    tokens : int
        Length of the text.
    seed : int
        The same seed gives the same contest.
    noise : (float, float)
        From how little to how much the ways of preparing a page spoil.

    Examples
    --------
    >>> contest = simulate_contest(tokens=100)
    >>> len(contest.votes.systems), contest.engine[0], contest.engine[-1]
    (24, 'good', 'biased')
    >>> bool(contest.truth.sum() <= 100 < len(contest.votes))
    True
    """
    rng = np.random.default_rng(seed)
    difficulty = rng.normal(size=tokens)
    ways = max((engine.pipelines for engine in engines), default=0)
    spoilt = rng.uniform(*noise, ways)
    destroyed = rng.random((ways, tokens)) < spoilt[:, None] / 2
    names: list[str] = []
    owners: list[str] = []
    items: list[Ints] = []
    systems: list[Ints] = []
    for number, engine in enumerate(engines):
        odds = np.log(engine.accuracy / (1 - engine.accuracy)) + DIFFICULTY * difficulty
        right = rng.random(tokens) < 1 / (1 + np.exp(-odds))
        common = rng.random(tokens) < engine.bias
        for way in range(engine.pipelines):
            system = len(names)
            slip = rng.random(tokens) < spoilt[way]
            chance = rng.random(tokens)
            kind = _reading(destroyed[way], right, common, slip, chance)
            wrong = np.where(kind == _COMMON, 1 + number, 1 + len(engines) + system)
            item = np.where(kind == _RIGHT, 0, wrong) * tokens + np.arange(tokens)
            items.append(item[kind != _NOTHING])
            systems.append(np.full(len(items[-1]), system))
            names.append(f"{engine.name} {way + 1}")
            owners.append(engine.name)
    if not names:
        raise ValueError("a contest needs a pipeline")
    read, index = np.unique(np.concatenate(items), return_inverse=True)
    votes = Votes.sparse(index, np.concatenate(systems), len(read), names)
    truth = (read < tokens).astype(np.float64)
    packed = Votes.of(votes.dense(), names)
    return Contest(packed, truth, tuple(owners), (read % max(tokens, 1)).astype(np.int64))


_NOTHING, _RIGHT, _COMMON, _OWN = range(4)


def _reading(destroyed: Flags, right: Flags, common: Flags, slip: Flags, chance: Floats) -> Ints:
    """Return what a pipeline makes of every token."""
    spoilt = np.where(chance < LOST_AS_WRONG, _OWN, _NOTHING)
    err = np.where(common & ~slip, _COMMON, np.where(~common & (chance < LUCKY), _RIGHT, _OWN))
    read = np.where(right, np.where(slip, _OWN, _RIGHT), err)
    return np.where(destroyed, spoilt, read).astype(np.int64)


ENGINE = "engine"


def votes_of_contest(contest: Contest, page_length: int = 100) -> VoteTable:
    """The votes, with the truth, the engine of every pipeline, and pages of so many tokens.

    An item is a reading of a token: "12.1" is the first reading of token 12.

    Examples
    --------
    >>> from spotlab.lab.draw.contest import simulate_contest
    >>> table = votes_of_contest(simulate_contest(tokens=150))
    >>> table.items[0], sorted(set(table.pages)), sorted(set(table.factors["engine"]))
    ('1.1', ['page 1', 'page 2'], ['biased', 'good'])
    """
    order = np.lexsort((np.arange(len(contest.place)), contest.place))
    place = contest.place[order]
    first = np.searchsorted(place, place)
    reading = np.arange(len(place)) - first + 1
    names = tuple(f"{at + 1}.{number}" for at, number in zip(place.tolist(), reading.tolist(),
                                                             strict=True))  # fmt: skip
    pages = tuple(f"page {at // page_length + 1}" for at in place.tolist())
    return VoteTable(
        contest.votes.take(order),
        names,
        pages,
        contest.truth[order],
        {ENGINE: contest.engine},
        name="contest",
    )
