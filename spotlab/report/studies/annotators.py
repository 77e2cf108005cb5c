"""Runs evaluated against several annotators as a report, and the agreement of annotators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from spotlab.errors import counted
from spotlab.measures.agreement import DEFINITIONS, KAPPA, MEASURES, AnnotatorFigures
from spotlab.report.studies.study import StudySection, write_study
from spotlab.report.tables import Cell, Column, Table, figure_cell
from spotlab.studies.annotators.agreement import AnnotatorStudy, RunAmongAnnotators, as_json
from spotlab.studies.annotators.differences import (
    AnnotatorAgreement,
    DifferenceKind,
    PairwiseAgreement,
)

BY_REGION = "Regions match from an IoU of 0.5 on; outlines are alike from an IoU of 0.9 on."


def write_annotators(
    study: AnnotatorStudy,
    directory: Path,
    made: datetime | None = None,
    *,
    regions: PairwiseAgreement | None = None,
    against: Mapping[str, AnnotatorAgreement] | None = None,
) -> Path:
    """Write the report; gives its page.

    Parameters
    ----------
    study : AnnotatorStudy
    directory : Path
        Made if it is not there.
    made : datetime, optional
        When; now by default.
    regions : PairwiseAgreement, optional
        Agreement by region of each two annotators.
    against : mapping of str to AnnotatorAgreement, optional
        By annotator, the agreement with what was decided between two of them.

    Raises
    ------
    NotSaved
        It could not be written; what was there before is untouched.
    """
    names = study.annotated.names
    sections = [StudySection("Annotators", [], {}, {}, study.remarks)]
    sections += [_run(run, number) for number, run in enumerate(study.runs, 1)]
    if len(names) > 1:
        note = (
            "F over all areas, with one annotator as the run and another as the truth; then "
            "precision, recall and F against all others, as a measure of human performance."
        )
        table = {"agreement": agreement_table(study)}
        sections.append(StudySection("Annotators against each other", [note], table, {}))
    if regions is not None and regions.each_two:
        table = {"regions": region_table(regions.each_two)}
        sections.append(StudySection("Agreement by region", [BY_REGION, KAPPA], table, {}))
    if against:
        note = "Each annotator is the first, the truth that was decided is the second."
        table = {"decided": region_table(against, "Annotators and what was decided")}
        sections.append(StudySection("Annotators and what was decided", [note], table, {}))
    values = as_json(study)
    if regions is not None:
        values["agreement"]["regions"] = regions.as_json()
    summary = (
        f"Annotators: {len(names):,}, runs: {len(study.runs):,}. The relevance of a pixel is "
        "the share of the page's annotators whose regions cover it."
    )
    return write_study(directory, "Several annotators", summary, sections, values, made)


def _run(run: RunAmongAnnotators, number: int) -> StudySection:
    left_out = [
        f"{counted(each.spots, 'spot')} on {each.page}: {each.reason}" for each in run.left_out
    ]
    meant = [f"{title}: {DEFINITIONS[name.format('precision')]}" for title, name in KINDS]
    return StudySection(
        run.name,
        [f"Spots evaluated: {len(run.figures.tally):,} of {len(run.run):,} spots."],
        {f"run-{number}": figures_table(run.figures, run.name)},
        {},
        [*left_out, *meant],
    )


KINDS = (  # a row of a run's table: its title, and what the figures are called by
    ("expected", "expected_{}"),
    ("mean over annotators", "mean_{}"),
    ("standard deviation over annotators", "{}_spread"),
    ("marked by all", "every_{}"),
    ("marked by any", "any_{}"),
)
_REGION_KINDS = {
    DifferenceKind.NONE: "alike",
    DifferenceKind.OUTLINE: "other outline",
    DifferenceKind.LABEL: "other label",
    DifferenceKind.ONLY_FIRST: "only first",
    DifferenceKind.ONLY_SECOND: "only second",
}
TITLES = dict(zip(MEASURES, ("Precision", "Recall", "F"), strict=True))


def figures_table(figures: AnnotatorFigures, title: str) -> Table:
    """Pooled and mean figures, a row a kind of figure, then each annotator's own."""
    heads = [
        Column(f"{TITLES[measure]}, {of}", f"{measure}_{short}")
        for of, short in (("all areas", "pooled"), ("mean of queries", "mean"))
        for measure in MEASURES
    ]
    pooled, mean = figures.pooled(), figures.mean()
    rows = [
        (
            Cell(kind),
            *_cells([each[name.format(one)] for each in (pooled, mean) for one in MEASURES]),
        )
        for kind, name in KINDS
    ]
    rows += [
        (Cell(name), *_cells([own.pooled(each) for each in MEASURES]), *_cells([None] * 3))
        for name, own in zip(figures.annotators, figures.own, strict=True)
    ]
    return Table(title, (Column("Truth", "truth"), *heads), tuple(rows))


def agreement_table(study: AnnotatorStudy) -> Table:
    """F of each two annotators, then each against all others."""
    names = study.annotated.names
    rows = []
    for one, name in enumerate(names):
        pairs = [study.pair(one, other) for other in range(len(names))]
        figures = study.agreement[one]
        found = {} if figures is None else figures.pooled()
        values = [None if pair is None else pair.pooled("f") for pair in pairs]
        values += [found.get(f"expected_{each}") for each in MEASURES]
        rows.append((Cell(name), *_cells(values)))
    columns = [Column(name, name) for name in ("annotator", *names)]
    columns += [Column(f"{TITLES[each]}, all others", f"{each}_others") for each in MEASURES]
    return Table("Annotators against each other", tuple(columns), tuple(rows))


def region_table(
    agreements: Mapping[str, AnnotatorAgreement], title: str = "Agreement by region"
) -> Table:
    """Area IoU, kappa and the number of regions of each kind, a row for each pair of truths.

    Parameters
    ----------
    agreements : mapping of str to AnnotatorAgreement
        By what the row is called.
    title : str

    Returns
    -------
    Table
    """
    columns = (
        Column("Annotators", "annotators"),
        Column("area IoU", "area_iou"),
        Column("κ", "kappa"),
        *(Column(title, title.replace(" ", "_")) for title in _REGION_KINDS.values()),
    )
    rows = [
        (
            Cell(name),
            *_cells([agreement.iou, agreement.differences.kappa]),
            *(figure_cell(agreement.differences.counts[kind], "count") for kind in _REGION_KINDS),
        )
        for name, agreement in agreements.items()
    ]
    return Table(title, columns, tuple(rows))


def _cells(values: Sequence[float | None]) -> list[Cell]:
    return [figure_cell(value) for value in values]
