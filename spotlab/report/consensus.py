"""Systems compared without truth as a report: figures, rankings, agreement, groups, doubts."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import numpy as np

from spotlab.errors import counted
from spotlab.report.colours import run_colour
from spotlab.report.consensus_plots import (
    RankColumn,
    agreement_chart,
    group_chart,
    interval_chart,
    slope_chart,
)
from spotlab.report.consensus_tables import (
    better_table,
    disputed_table,
    group_table,
    intervals_table,
    methods_table,
    side_by_side,
    systems_table,
)
from spotlab.report.figure_text import written
from spotlab.report.study import StudySection, write_study
from spotlab.studies.systems.comparison import SystemComparison
from spotlab.studies.systems.comparison_json import as_json

ALONE = "#8a8f94"
LARGEST = 60  # systems that a plot still tells apart


def write_comparison(
    comparison: SystemComparison, directory: Path, made: datetime | None = None
) -> Path:
    """Write the report; gives its page.

    Raises
    ------
    NotSaved
        It could not be written; what was there before is untouched.
    """
    sections = [
        *_notes(comparison),
        _recommended(comparison),
        _systems(comparison),
        _ranking(comparison),
        *_answered(comparison),
        _agreement(comparison),
        *_groups(comparison),
        *_offered(comparison),
        *_doubts(comparison),
        _disputed(comparison),
    ]
    name = comparison.table.name
    named = name and name not in comparison.table.systems  # one of several files names nothing
    title = f"Systems compared: {name}" if named else "Systems compared"
    return write_study(directory, title, _summary(comparison), sections, as_json(comparison), made)


def _summary(comparison: SystemComparison) -> str:
    items, judged = len(comparison.votes), comparison.judged
    truth = (
        "Truth is not known."
        if judged is None
        else f"Truth is known of {counted(judged, 'item')}, for comparison only."
    )
    oracle = f" {comparison.oracle} is the oracle." if comparison.oracle else ""
    weights = {name: weight for name, weight in comparison.weights.items() if weight}
    if len(set(weights.values())) == 1:
        who = "everybody, ⊤ and ⊥ too" if len(weights) == len(comparison.weights) else None
        shown = f"{next(iter(weights.values())):.3g} for {who or ', '.join(weights)}"
    else:
        shown = ", ".join(f"{name} {weight:.3g}" for name, weight in weights.items())
    return (
        f"{counted(len(comparison.systems), 'system')} voted on {counted(items, 'item')}. "
        f"{truth}{oracle} Precision "
        f"and recall without truth after Lamiroy & Sun (2013); β of F is {comparison.beta:g}. "
        f"Weights κ: {shown}."
    )


def _notes(comparison: SystemComparison) -> list[StudySection]:
    notes = (*comparison.warnings, *comparison.table.remarks)
    return [StudySection("Warnings", (), {}, {}, notes)] if notes else []


def _recommended(comparison: SystemComparison) -> StudySection:
    """The estimate to look at first, with its reason."""
    advice, result = comparison.recommendation, comparison.recommended
    paragraphs = [
        f"{result.title}. {advice.reason}",
        f"{result.definition} {result.assumption}",
        " ".join(part for part in (advice.headline, advice.disagreement) if part),
    ]
    return StudySection(
        "Recommended estimate",
        [each for each in paragraphs if each],
        {"recommended": intervals_table(comparison, result)},
        {},
    )


def _systems(comparison: SystemComparison) -> StudySection:
    main = comparison.main
    paragraphs = [f"{main.title}: {main.definition} {main.assumption}"]
    figures = {}
    if comparison.intervals is not None:
        paragraphs.append(
            f"In brackets {100 * comparison.intervals.level:g} % intervals of "
            f"{comparison.intervals.draws:,} bootstrap draws."
        )
        if len(comparison.systems) <= LARGEST:
            truth = comparison.truth
            figures["intervals"] = interval_chart(
                comparison.systems, main.figures.f, comparison.intervals.f[:, 0],
                comparison.intervals.f[:, 1], None if truth is None else truth.f,
                _colours(comparison), main.title,
            )  # fmt: skip
    return StudySection(
        "Systems",
        paragraphs,
        {"systems": systems_table(comparison)},
        figures,
    )


def _ranking(comparison: SystemComparison) -> StudySection:
    columns = [RankColumn(each.title, each.figures.rank) for each in comparison.methods]
    if comparison.truth is not None:
        columns.insert(0, RankColumn("With truth", comparison.truth.rank))
    drawn = len(comparison.systems) <= LARGEST and len(columns) > 1
    return StudySection(
        "Ranking by method (Fig. 3)",
        [f"{each.title}: {each.definition} {each.assumption}" for each in comparison.methods],
        {
            "methods": methods_table(comparison, comparison.methods, "Methods"),
            "methods-systems": side_by_side(comparison, comparison.methods),
        },
        {"ranking": slope_chart(comparison.systems, columns, _colours(comparison))}
        if drawn
        else {},
        [
            *(f"{each.title}: {each.remark}." for each in comparison.methods if each.remark),
            *(pair.sentence(comparison.systems) for pair in comparison.between),
        ],
    )


def _answered(comparison: SystemComparison) -> list[StudySection]:
    return [
        StudySection(
            each.title,
            [f"{each.definition} {each.assumption}"],
            {each.name: intervals_table(comparison, each)},
            {},
        )
        for each in comparison.methods
        if each.intervals is not None
    ]


def _agreement(comparison: SystemComparison) -> StudySection:
    order = comparison.agreement.order
    groups = comparison.groups
    members = [
        f"{name}: "
        + ", ".join(groups.systems[place] for place in np.flatnonzero(groups.label == n))
        for n, name in enumerate(groups.names)
        if (groups.label == n).sum() > 1
    ]
    source = f"given by the factor {comparison.group_by}" if comparison.group_by else "as found "
    "from the votes"
    return StudySection(
        "Agreement",
        [
            "Agreement of each pair of systems: φ is 1 if they always agree, 0 if they agree as "
            "often "
            f"as by chance, −1 if they never agree. Frames mark groups, {source}. Systems that "
            f"agree "
            "may share their errors, or both be good: agreement alone cannot tell which."
        ],
        {},
        {"agreement": agreement_chart(comparison.agreement, groups.label)}
        if len(order) <= LARGEST
        else {},
        members,
    )


def _groups(comparison: SystemComparison) -> list[StudySection]:
    if not comparison.grouped:
        return []
    by = comparison.group_by or "groups found"
    charts = []
    for number, group in enumerate(comparison.grouped):
        names = [comparison.systems[place] for place in group.systems.tolist()]
        columns = [RankColumn("Without truth", group.result.figures.rank)]
        if group.truth is not None:
            columns.insert(0, RankColumn("With truth", group.truth.rank))
        charts.append((group.name, names, columns, run_colour(number)))
    drawn = len(comparison.systems) <= LARGEST and comparison.truth is not None
    return [
        StudySection(
            f"Within groups: {by} (Fig. 4)",
            ["Each system is judged by those of its own group, ⊤ and ⊥ only."],
            {
                f"group-{number}": group_table(comparison, group)
                for number, group in enumerate(comparison.grouped, 1)
            },
            {"groups": group_chart(charts)} if drawn else {},
            [
                f"{group.name}: Kendall's τ with the truth {written(near.kendall)}."
                for group in comparison.grouped
                if (near := group.result.nearness) is not None and near.kendall is not None
            ],
        )
    ]


def _offered(comparison: SystemComparison) -> list[StudySection]:
    offered = comparison.corrections
    if not offered:
        return []
    return [
        StudySection(
            "Proposed corrections",
            [
                "The ranking if groups had less weight. None is applied elsewhere "
                "on this page, because they do harm where systems agree because they are good.",
                *(f"{each.title}: {each.definition} {each.assumption}" for each in offered),
            ],
            {
                "corrections": methods_table(comparison, offered, "Corrections"),
                "corrections-systems": side_by_side(comparison, offered),
            },
            {},
        )
    ]


def _doubts(comparison: SystemComparison) -> list[StudySection]:
    intervals, table = comparison.intervals, better_table(comparison)
    if intervals is None or table is None or len(comparison.systems) > LARGEST:
        return []
    hidden = (
        ["Systems of different groups are not compared: the members of a group confirm each other."]
        if comparison.groups.only_two
        else []
    )
    return [
        StudySection("Which is better?", [intervals.assumption, *hidden], {"better": table}, {})
    ]


def _disputed(comparison: SystemComparison) -> StudySection:
    return StudySection(
        "Items with the most disagreement",
        ["Those whose votes are split most evenly; of these, the ones with most votes first."],
        {"disputed": disputed_table(comparison)},
        {},
    )


def _colours(comparison: SystemComparison) -> list[str]:
    """One for each group where systems share groups, grey for those alone; else one a system."""
    groups = comparison.groups
    if not groups.together:
        return [run_colour(place) for place in range(len(groups.systems))]
    shared = np.flatnonzero(groups.sizes > 1).tolist()
    return [
        run_colour(shared.index(label)) if label in shared else ALONE
        for label in groups.label.tolist()
    ]
