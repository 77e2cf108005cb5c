"""Distance of systems' answers from the ranking that each subject's judgements imply.

Santini, Benchmarking without ground truth, section 5. There subjects rank items; here they assign
items to categories, which implies a ranking. For a query, an item is as relevant to a subject as
its category is close to the query's: 1 in that category or below it, else the share of the depth
that both have in common. Items of equal relevance to the subject are in the order of the system's
answer, so that only differences that the subject made count. Items that the subject did not judge,
and the query itself, are left out of both lists.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import fsum

from spotlab.errors import counted
from spotlab.formats.lists.rankings import Ranking
from spotlab.progress import Progress, silent
from spotlab.ranking.displacement import Missing, QualityForm
from spotlab.studies.words.displacement import (
    DisplacementStudy,
    SubjectDisplacement,
    SystemDisplacement,
    measure_displacement,
)
from spotlab.uncertain_truth.judgements import Judgements

HYPOTHESES: tuple[Missing, ...] = ("optimist", "pessimist")


class _Views:
    """Rankings that each subject would give, according to its judgements."""

    def __init__(self, judgements: Judgements) -> None:
        self.tree = judgements.tree
        self.items = judgements.number
        self.categories: dict[str, dict[str, int]] = {name: {} for name in judgements.subjects}
        entries = zip(
            judgements.subject.tolist(),
            judgements.item.tolist(),
            judgements.category.tolist(),
            strict=True,
        )
        for subject, item, category in entries:
            self.categories[judgements.subjects[subject]][judgements.items[item]] = category
        self._closeness: dict[int, list[float]] = {}

    def query_category(self, subject: str, query: str) -> int | None:
        """Category to which the subject assigned the query; None if it did not."""
        if query in self.items:
            return self.categories[subject].get(query)
        return self.tree.number.get(query)

    def ideal(self, subject: str, query: str, category: int, seen: Sequence[str]) -> Ranking:
        """Ranking of the items that the subject finds relevant at all."""
        near = self._closeness.get(category)
        if near is None:
            near = self._closeness[category] = self.tree.closeness(category).tolist()
        place = {item: at for at, item in enumerate(seen)}
        order = [
            (-near[own], place.get(item, len(place)), at, item)
            for at, (item, own) in enumerate(self.categories[subject].items())
            if item != query and near[own] > 0
        ]
        order.sort()
        return Ranking(
            subject, query, tuple(row[3] for row in order), tuple(-row[0] for row in order)
        )


def displace_by_judgements(
    judgements: Judgements,
    rankings: Sequence[Ranking],
    missing: Missing = "optimist",
    progress: Progress = silent,
    form: QualityForm = "rational",
    steepness: float = 1.0,
) -> DisplacementStudy | None:
    """Measure the displacement of each system's answers, averaged over queries and subjects.

    Parameters
    ----------
    judgements : Judgements
        Categories to which subjects assigned items.
    rankings : sequence of Ranking
        Answers, one per system and query; a query is an item, or the name of a category.
    missing : "optimist" or "pessimist"
        Where items are placed that an answer lacks. The collection is what the subject judged.
    progress : callable
        Called with the number of systems done.
    form : "rational" or "exponential"
        Quality 1 / (1 + w) ** p, or exp(−λ w) of a displacement w.
    steepness : float
        p or λ.

    Returns
    -------
    DisplacementStudy or None
        The best system first; ``size`` is the number of items. None if no subject judged a query
        and an item relevant to it.

    Notes
    -----
    Santini, Benchmarking without ground truth, eqs. 17 to 23.
    """
    views, how = _Views(judgements), (missing, form, steepness)
    by_system: dict[str, list[Ranking]] = {}
    for ranking in rankings:
        by_system.setdefault(ranking.who, []).append(ranking)
    queries = dict.fromkeys(ranking.query for ranking in rankings)
    systems = []
    for done, (system, answers) in enumerate(by_system.items()):
        progress(done, len(by_system), f"displacement, {missing}")
        own = {each.query: each for each in answers}
        subjects = [
            mean
            for subject in judgements.subjects
            if (mean := _subject_mean(views, subject, system, own, queries, *how))
        ]
        if subjects:
            systems.append(
                SystemDisplacement(
                    system,
                    fsum(each.displacement for each in subjects) / len(subjects),
                    fsum(each.quality for each in subjects) / len(subjects),
                    tuple(subjects),
                )
            )
    progress(len(by_system), len(by_system), f"displacement, {missing}")
    if not systems:
        return None
    systems.sort(key=lambda each: each.displacement)
    return DisplacementStudy(
        tuple(systems),
        missing,
        len(judgements.items),
        steepness,
        _remarks(by_system, queries, systems),
        form,
    )


def _subject_mean(
    views: _Views,
    subject: str,
    system: str,
    own: dict[str, Ranking],
    queries: dict[str, None],
    missing: Missing,
    form: QualityForm,
    steepness: float,
) -> SubjectDisplacement | None:
    """One system before one subject; None if the subject has no ideal for any query."""
    view = views.categories[subject]
    ideals, answers = [], []
    for query in queries:
        category = views.query_category(subject, query)
        if category is None:
            continue
        given = own[query].items if query in own else ()
        seen = tuple(item for item in given if item in view and item != query)
        ideal = views.ideal(subject, query, category, seen)
        if ideal.items:
            ideals.append(ideal)
            answers.append(Ranking(system, query, seen))
    if not ideals:
        return None
    study = measure_displacement(ideals, answers, missing, len(view), steepness, form)
    return study.systems[0].subjects[0]


def _remarks(
    by_system: Mapping[str, Sequence[Ranking]],
    queries: dict[str, None],
    systems: Sequence[SystemDisplacement],
) -> tuple[str, ...]:
    number = len(systems[0].subjects)
    remarks = [
        f"each system before {counted(number, 'subject')}, each over the queries and items "
        "that it judged; what a subject finds equally relevant is in the order of the answer"
    ]
    for system, answers in by_system.items():
        lacking = [query for query in queries if query not in {each.query for each in answers}]
        if lacking:
            more = f" and {len(lacking) - 5:,} more" if len(lacking) > 5 else ""
            names = ", ".join(lacking[:5]) + more
            remarks.append(f"{system} does not answer {names}: all items count as missing")
    return tuple(remarks)


def displace(
    judgements: Judgements,
    rankings: Sequence[Ranking],
    progress: Progress = silent,
    form: QualityForm = "rational",
    steepness: float = 1.0,
) -> tuple[DisplacementStudy, ...]:
    """Measure the displacement under both hypotheses on missing items.

    Parameters
    ----------
    judgements, rankings, progress, form, steepness
        As for `displace_by_judgements`.

    Returns
    -------
    tuple of DisplacementStudy
        Optimist, then pessimist; empty if undefined.
    """
    studies = [
        displace_by_judgements(judgements, rankings, missing, progress, form, steepness)
        for missing in HYPOTHESES
    ]
    return tuple(study for study in studies if study is not None)
