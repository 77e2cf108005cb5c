"""Runs held against several annotators as a report: figures, and how far annotators agree."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from spotlab.measures.annotators import DEFINITIONS
from spotlab.report.annotators_tables import KINDS, agreement_table, figures_table
from spotlab.report.study import StudySection, write_study
from spotlab.studies.areas.annotators import AnnotatorStudy, RunAmongAnnotators
from spotlab.studies.areas.annotators_json import as_json


def write_annotators(study: AnnotatorStudy, directory: Path, made: datetime | None = None) -> Path:
    """Write the report; gives its page.

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
    summary = (
        f"Annotators: {len(names):,}, runs: {len(study.runs):,}. The relevance of a pixel is "
        "the share of the page's annotators whose regions cover it."
    )
    return write_study(directory, "Several annotators", summary, sections, as_json(study), made)


def _run(run: RunAmongAnnotators, number: int) -> StudySection:
    left_out = [f"{each.spots:,} spots on {each.page}: {each.reason}" for each in run.left_out]
    meant = [f"{title}: {DEFINITIONS[name.format('precision')]}" for title, name in KINDS]
    return StudySection(
        run.name,
        [f"Spots evaluated: {len(run.figures.tally):,} of {len(run.run):,} spots."],
        {f"run-{number}": figures_table(run.figures, run.name)},
        {},
        [*left_out, *meant],
    )
