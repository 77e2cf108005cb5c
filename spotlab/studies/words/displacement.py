"""Compares systems' answers with the rankings of subjects: weighted displacement, by subject.

Santini, Benchmarking without ground truth, section 5. A query that a system does not answer counts
as an answer without items.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any

from spotlab.errors import counted
from spotlab.formats.lists.rankings import Ranking
from spotlab.formats.rows.json_values import to_builtins
from spotlab.ranking.displacement import (
    Displacement,
    Missing,
    QualityForm,
    quality,
    weighted_displacement,
)
from spotlab.representation import short_repr


@dataclass(frozen=True)
class DisplacedAnswer:
    """One answer compared with one subject's ranking.

    Attributes
    ----------
    query : str
    ideal, answer : Ranking or None
        None where the system has no answer to this query.
    displacement : Displacement
    quality : float
        In [0, 1]; 1 for the subject's own ranking.
    """

    query: str
    ideal: Ranking
    answer: Ranking | None
    displacement: Displacement
    quality: float

    __repr__ = short_repr


@dataclass(frozen=True)
class SubjectDisplacement:
    """A system and one subject: the mean over the queries that the subject ranks."""

    subject: str
    displacement: float
    quality: float
    answers: tuple[DisplacedAnswer, ...]

    __repr__ = short_repr


@dataclass(frozen=True)
class SystemDisplacement:
    """A system: the mean over the subjects."""

    system: str
    displacement: float
    quality: float
    subjects: tuple[SubjectDisplacement, ...]

    __repr__ = short_repr


@dataclass(frozen=True)
class DisplacementStudy:
    """All systems and all subjects.

    Attributes
    ----------
    systems : tuple of SystemDisplacement
        Best first: by displacement, rising.
    missing : "optimist" or "pessimist"
    size : int
        Number of items N of the collection.
    steepness : float
        p or λ of the quality 1 / (1 + w) ** p or exp(−λ w).
    remarks : tuple of str
    form : "rational" or "exponential"
        Of the quality.
    """

    systems: tuple[SystemDisplacement, ...]
    missing: Missing
    size: int
    steepness: float
    remarks: tuple[str, ...]
    form: QualityForm = "rational"

    __repr__ = short_repr


def measure_displacement(
    ideals: Sequence[Ranking],
    answers: Sequence[Ranking],
    missing: Missing = "optimist",
    size: int | None = None,
    steepness: float = 1.0,
    form: QualityForm = "rational",
) -> DisplacementStudy:
    """Measure how far each system's answers are from the rankings of each subject.

    Parameters
    ----------
    ideals : sequence of Ranking
        With relevances.
    answers : sequence of Ranking
    missing : "optimist" or "pessimist"
        Where items that an answer lacks are assumed to be: right behind it, or at the end.
    size : int, optional
        Number of items N of the collection; by default of those that a ranking names.
    steepness : float
        p or λ of the quality.
    form : "rational" or "exponential"
        Quality 1 / (1 + w) ** p, or exp(−λ w) of a displacement w.

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
        raise ValueError(
            f"a collection of {counted(size, 'item')}, but the rankings name {len(number)}"
        )
    count = len(number) if size is None else size
    named = [(answer.who, answer.query) for answer in answers]
    if len(set(named)) < len(named):
        system, query = next(pair for number, pair in enumerate(named) if pair in named[:number])
        raise ValueError(f"{system} answers {query} twice")
    by_system = {
        system: {answer.query: answer for answer in answers if answer.who == system}
        for system in dict.fromkeys(answer.who for answer in answers)
    }

    def displaced(ideal: Ranking, answer: Ranking | None) -> DisplacedAnswer:
        displacement = weighted_displacement(
            [number[item] for item in ideal.items],
            ideal.relevance,
            [number[item] for item in answer.items] if answer else [],
            missing,
            count,
        )
        return DisplacedAnswer(
            ideal.query,
            ideal,
            answer,
            displacement,
            quality(displacement.total, form, steepness),
        )

    systems = [
        _system_mean(system, [
            (ideal.who, displaced(ideal, own.get(ideal.query))) for ideal in ideals
        ])
        for system, own in by_system.items()
    ]  # fmt: skip
    return DisplacementStudy(
        tuple(sorted(systems, key=lambda system: system.displacement)),
        missing,
        count,
        steepness,
        tuple(_remarks(ideals, by_system)),
        form,
    )


def _system_mean(system: str, answers: Sequence[tuple[str, DisplacedAnswer]]) -> SystemDisplacement:
    subjects = []
    for name in dict.fromkeys(who for who, _ in answers):
        own = [answer for who, answer in answers if who == name]
        subjects.append(
            SubjectDisplacement(
                name,
                _mean([answer.displacement.total for answer in own]),
                _mean([answer.quality for answer in own]),
                tuple(own),
            )
        )
    return SystemDisplacement(
        system,
        _mean([subject.displacement for subject in subjects]),
        _mean([subject.quality for subject in subjects]),
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
                "quality": study.form,
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


def _subject_json(subject: SubjectDisplacement) -> dict[str, Any]:
    return {
        "subject": subject.subject,
        "displacement": subject.displacement,
        "quality": subject.quality,
        "queries": [
            {
                "query": answer.query,
                "answered": answer.answer is not None,
                "displacement": answer.displacement.total,
                "found": answer.displacement.common_part,
                "missed": answer.displacement.missing_part,
                "quality": answer.quality,
                "item": answer.ideal.items,
                "relevance": answer.ideal.relevance,
                "up": answer.displacement.rank_gain,
                "missing": answer.displacement.missing,
            }
            for answer in subject.answers
        ],
    }
