"""How far systems' answers are from how each subject, by its judgements, would have ranked.

Santini, Benchmarking without ground truth, section 5. There subjects rank items; here they have
assigned them to categories, and what that says about ranks is this. For a query, an item is as
relevant to a subject as its category is close to the query's: 1 in that category or below it, else
the share of the way from the root that both go together. Items that are equally relevant to the
subject stand in the order of the system's answer, so that only what the subject tells apart counts.
Items that the subject has not judged, and the query itself, are in neither list.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import fsum

from spotlab.formats.lists.rankings import Ranking
from spotlab.progress import Progress, silent
from spotlab.ranking.displacement import Missing
from spotlab.studies.words.displacement import (
    DisplacementStudy,
    SubjectDisplacement,
    SystemDisplacement,
    measure_displacement,
)
from spotlab.uncertain.judgements import Judgements

HYPOTHESES: tuple[Missing, ...] = ("optimist", "pessimist")


class _Views:
    """How each subject would rank, by what it judged."""

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
        """Where the subject has put the query; None if it has not, but could have."""
        if query in self.items:
            return self.categories[subject].get(query)
        return self.tree.number.get(query)

    def ideal(self, subject: str, query: str, category: int, seen: Sequence[str]) -> Ranking:
        """How the subject would rank what it finds relevant at all."""
        near = self._closeness.get(category)
        if near is None:
            near = self._closeness[category] = self.tree.closeness(category).tolist()
        place = {item: at for at, item in enumerate(seen)}
        found = [
            (-near[own], place.get(item, len(place)), at, item)
            for at, (item, own) in enumerate(self.categories[subject].items())
            if item != query and near[own] > 0
        ]
        found.sort()
        return Ranking(
            subject, query, tuple(each[3] for each in found), tuple(-each[0] for each in found)
        )


def displace_by_judgements(
    judgements: Judgements,
    rankings: Sequence[Ranking],
    missing: Missing = "optimist",
    progress: Progress = silent,
) -> DisplacementStudy | None:
    """Each system's answers against each subject's judgements, averaged over queries and subjects.

    Parameters
    ----------
    judgements : Judgements
    rankings : sequence of Ranking
        One a system and query; a query is an item, or the name of a category.
    missing : "optimist" or "pessimist"
        Where items are taken to be that an answer lacks. The collection is what the subject judged.

    Returns
    -------
    DisplacementStudy or None
        The best system first; None if no subject judged a query and an item relevant to it.
        ``size`` is the number of items.
    """
    views = _Views(judgements)
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
            if (mean := _subject_mean(views, subject, system, own, queries, missing))
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
        tuple(systems), missing, len(judgements.items), 1.0, _remarks(by_system, queries, systems)
    )


def _subject_mean(
    views: _Views,
    subject: str,
    system: str,
    own: dict[str, Ranking],
    queries: dict[str, None],
    missing: Missing,
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
    study = measure_displacement(ideals, answers, missing, len(view))
    return study.systems[0].subjects[0]


def _remarks(
    by_system: Mapping[str, Sequence[Ranking]],
    queries: dict[str, None],
    systems: Sequence[SystemDisplacement],
) -> tuple[str, ...]:
    number = len(systems[0].subjects)
    remarks = [
        f"each system before {number} subject{'s' * (number > 1)}, each over the queries and items "
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
    judgements: Judgements, rankings: Sequence[Ranking], progress: Progress = silent
) -> tuple[DisplacementStudy, ...]:
    """What `displace_by_judgements` gives, for both hypotheses; empty if it gives nothing."""
    studies = [displace_by_judgements(judgements, rankings, each, progress) for each in HYPOTHESES]
    return tuple(each for each in studies if each is not None)
