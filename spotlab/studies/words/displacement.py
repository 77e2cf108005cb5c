"""Holds systems' answers against how subjects would rank: weighted displacement, by subject.

Santini, Benchmarking without ground truth, section 5. What a system does not answer at all counts
as an answer without items.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any

from spotlab.formats.lists.rankings import Ranking
from spotlab.formats.rows.json_values import to_builtins
from spotlab.ranking.displacement import (
    Displacement,
    Missing,
    quality,
    weighted_displacement,
)


@dataclass(frozen=True)
class Displaced:
    """One answer against one subject's ranking.

    Attributes
    ----------
    query : str
    ideal, answer : Ranking or None
        No answer: the system has none to this query.
    displacement : Displacement
    quality : float
        In [0, 1], 1 for what is as the subject would have it.
    """

    query: str
    ideal: Ranking
    answer: Ranking | None
    displacement: Displacement
    quality: float


@dataclass(frozen=True)
class SubjectMean:
    """A system before one subject, the mean over the queries that the subject ranks."""

    subject: str
    displacement: float
    quality: float
    answers: tuple[Displaced, ...]


@dataclass(frozen=True)
class SystemMean:
    """A system, the mean over the subjects."""

    system: str
    displacement: float
    quality: float
    subjects: tuple[SubjectMean, ...]


@dataclass(frozen=True)
class DisplacementStudy:
    """All systems before all subjects.

    Attributes
    ----------
    systems : tuple of SystemMean
        The best first: with the smallest displacement.
    missing : "optimist" or "pessimist"
    size : int
        N, items of the collection.
    steepness : float
        p of the quality 1 / (1 + w) ** p.
    remarks : tuple of str
    """

    systems: tuple[SystemMean, ...]
    missing: Missing
    size: int
    steepness: float
    remarks: tuple[str, ...]


def measure_displacement(
    ideals: Sequence[Ranking],
    answers: Sequence[Ranking],
    missing: Missing = "optimist",
    size: int | None = None,
    steepness: float = 1.0,
) -> DisplacementStudy:
    """How far each system's answers are from the rankings of each subject.

    Parameters
    ----------
    ideals : sequence of Ranking
        With relevances.
    answers : sequence of Ranking
    missing : "optimist" or "pessimist"
        Where items are taken to be that an answer lacks: right behind it, or at the end.
    size : int, optional
        N, items of the collection; by default those that a ranking names.
    steepness : float

    Raises
    ------
    ValueError
        There is no ideal or no answer, or the collection is smaller than what the rankings name;
        a system answers a query twice.

    Examples
    --------
    >>> ideal = Ranking("Ann", "cat", ("a", "b"), (1.0, 0.5))
    >>> study = measure_displacement([ideal], [Ranking("S", "cat", ("b", "a"))])
    >>> study.systems[0].displacement, study.systems[0].quality
    (1.5, 0.4)
    """
    if not ideals or not answers:
        raise ValueError(f"there is no {'answer' if ideals else 'ideal ranking'}")
    number: dict[str, int] = {}
    for ranking in (*ideals, *answers):
        for item in ranking.items:
            number.setdefault(item, len(number))
    if size is not None and size < len(number):
        raise ValueError(f"a collection of {size} items, but the rankings name {len(number)}")
    count = len(number) if size is None else size
    named = [(each.who, each.query) for each in answers]
    if len(set(named)) < len(named):
        system, query = next(each for at, each in enumerate(named) if each in named[:at])
        raise ValueError(f"{system} answers {query} twice")
    by_system = {
        system: {each.query: each for each in answers if each.who == system}
        for system in dict.fromkeys(each.who for each in answers)
    }

    def displaced(ideal: Ranking, answer: Ranking | None) -> Displaced:
        found = weighted_displacement(
            [number[item] for item in ideal.items],
            ideal.relevance,
            [number[item] for item in answer.items] if answer else [],
            missing,
            count,
        )
        return Displaced(
            ideal.query, ideal, answer, found, quality(found.total, steepness=steepness)
        )

    systems = [
        _system_mean(system, [
            (ideal.who, displaced(ideal, own.get(ideal.query))) for ideal in ideals
        ])
        for system, own in by_system.items()
    ]  # fmt: skip
    return DisplacementStudy(
        tuple(sorted(systems, key=lambda each: each.displacement)),
        missing,
        count,
        steepness,
        tuple(_remarks(ideals, by_system)),
    )


def _system_mean(system: str, found: Sequence[tuple[str, Displaced]]) -> SystemMean:
    subjects = []
    for subject in dict.fromkeys(who for who, _ in found):
        own = [each for who, each in found if who == subject]
        subjects.append(
            SubjectMean(
                subject,
                _mean([each.displacement.total for each in own]),
                _mean([each.quality for each in own]),
                tuple(own),
            )
        )
    return SystemMean(
        system,
        _mean([each.displacement for each in subjects]),
        _mean([each.quality for each in subjects]),
        tuple(subjects),
    )


def _mean(values: Sequence[float]) -> float:
    return fsum(values) / len(values)


def _remarks(ideals: Sequence[Ranking], by_system: dict[str, dict[str, Ranking]]) -> list[str]:
    queries = dict.fromkeys(ideal.query for ideal in ideals)
    remarks = []
    for system, own in by_system.items():
        lacking = [query for query in queries if query not in own]
        if lacking:
            names = ", ".join(lacking)
            remarks.append(f"{system} does not answer {names}: all items count as missing")
        others = [query for query in own if query not in queries]
        if others:
            remarks.append(f"{system} answers {', '.join(others)}, which nobody ranks: left out")
    return remarks


def as_json(study: DisplacementStudy, remarks: Sequence[str] = ()) -> Any:
    """The study as what `json.dumps` takes, with remarks on what was read."""
    return to_builtins(
        {
            "settings": {
                "missing": study.missing,
                "items": study.size,
                "steepness": study.steepness,
            },
            "remarks": [*remarks, *study.remarks],
            "systems": [
                {
                    "system": system.system,
                    "displacement": system.displacement,
                    "quality": system.quality,
                    "subjects": [_subject_json(subject) for subject in system.subjects],
                }
                for system in study.systems
            ],
        }
    )


def _subject_json(subject: SubjectMean) -> dict[str, Any]:
    return {
        "subject": subject.subject,
        "displacement": subject.displacement,
        "quality": subject.quality,
        "queries": [
            {
                "query": each.query,
                "answered": each.answer is not None,
                "displacement": each.displacement.total,
                "found": each.displacement.common_part,
                "missed": each.displacement.missing_part,
                "quality": each.quality,
                "item": each.ideal.items,
                "relevance": each.ideal.relevance,
                "up": each.displacement.rank_gain,
                "missing": each.displacement.missing,
            }
            for each in subject.answers
        ],
    }
