"""Runs held against several annotators as a report: figures, and how far annotators agree."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from spotlab.errors import counted
from spotlab.measures.agreement import DEFINITIONS, KAPPA
from spotlab.report.annotators_tables import (
    KINDS,
    agreement_table,
    figures_table,
    region_table,
)
from spotlab.report.study import StudySection, write_study
from spotlab.studies.annotators.agreement import AnnotatorStudy, RunAmongAnnotators, as_json
from spotlab.studies.annotators.differences import AnnotatorAgreement, PairwiseAgreement

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
