"""`spotlab annotators`: area precision and recall where several annotators have drawn the truth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spotlab.cli.console import check_target, json_option, progress_bar, say, write_json
from spotlab.cli.options import csv_safe_option, judging_options, read_runs, read_truth
from spotlab.files import is_folder
from spotlab.report.tables import as_text

if TYPE_CHECKING:
    from spotlab.progress import Progress
    from spotlab.studies.annotators.agreement import AnnotatorStudy
    from spotlab.studies.annotators.differences import (
        AnnotatorAgreement,
        DecisionReport,
        PairwiseAgreement,
    )
    from spotlab.studies.tally.truth import TruthSet

EXISTING = click.Path(exists=True, path_type=Path)


@click.command()
@click.option(
    "--annotator",
    "annotators",
    type=EXISTING,
    multiple=True,
    required=True,
    help="Folder or file with the truth of one annotator; repeat the option for each annotator. "
    "Exports with the work of several, as of Label Studio, give each of them.",
)
@click.option(
    "--run",
    "runs",
    type=EXISTING,
    multiple=True,
    help="Run to evaluate; may be given several times.  [default: none, only the annotators' "
    "agreement is measured]",
)
@click.option(
    "--decided",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder with what somebody has decided between two of the annotators in the window; its "
    "decisions are counted, and each annotator is compared with the truth in it.  [default: none]",
)
@judging_options("naming", "words", "texts", "strict", "beta", "skip_bad_lines", "jobs")
@csv_safe_option
@json_option
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for a report with tables.",
)
def annotators(
    annotators: tuple[Path, ...],
    runs: tuple[Path, ...],
    beta: float,
    decided: Path | None,
    jobs: int,
    json_file: str | None,
    out: Path | None,
    **chosen: Any,
) -> None:
    """Evaluate runs against several annotators, and the annotators against each other.

    The relevance of a pixel is the share of the page's annotators whose regions cover it. A page
    without a truth file counts as not seen by that annotator, and only the others judge it. A page
    with an empty truth file counts as seen. Pages are matched by name.
    """
    from spotlab.studies.annotators.agreement import (  # noqa: PLC0415
        as_json,
        measure_annotators,
        put_together,
    )
    from spotlab.studies.annotators.differences import compare_pairs  # noqa: PLC0415

    check_target(json_file)
    with progress_bar() as progress:
        truths = _read(annotators, chosen, progress)
        together = put_together(truths.values())
        read = read_runs(
            runs, together, chosen["strict"], progress, chosen["naming"], list(truths.values())
        )
        study = measure_annotators(truths, read, beta=beta, jobs=jobs, progress=progress)
        regions = compare_pairs(study.annotated, progress)
        report = None
        if decided is not None:
            third = read_truth([decided], chosen, progress)
            report = report_decisions(decided, annotators, truths, third, progress)
    if json_file:
        value = as_json(study)
        value["agreement"]["regions"] = regions.as_json()
        if report is not None:
            value["decisions"] = report.as_json()
        write_json(value, json_file)
    if json_file != "-":
        say(*_lines(study, regions), *_decisions(report))
    if out is not None:
        from spotlab.report.studies.annotators import write_annotators  # noqa: PLC0415 - matplotlib

        against = report.compared if report is not None else None
        page = write_annotators(study, out, regions=regions, against=against)
        say(f"wrote {page}", err=json_file == "-")


def _read(paths: Sequence[Path], chosen: dict[str, Any], progress: Progress) -> dict[str, TruthSet]:
    """Each annotator's truth by name: the one that the file gives, or that of the folder or file.

    Raises
    ------
    UsageError
        A path is given twice.
    """
    from spotlab.formats.collection.truth_files import annotators_of  # noqa: PLC0415

    resolved = [path.resolve() for path in paths]
    if len(set(resolved)) < len(resolved):
        raise click.UsageError("--annotator has the same path twice", click.get_current_context())
    depth = 1
    while len({_name(path, depth) for path in resolved}) < len(resolved):
        depth += 1
    found: dict[str, TruthSet] = {}
    for given, path in zip(paths, resolved, strict=True):
        for person in annotators_of(path, progress) or [""]:
            name = person or _name(path, depth)
            name = f"{_name(path, depth)}/{name}" if name in found else name
            found[name] = read_truth([given], {**chosen, "annotator": person}, progress)
    return found


def _name(path: Path, depth: int) -> str:
    """The last parts of a path, without an ending; all of it where it has no more parts.

    Examples
    --------
    >>> _name(Path("/data/anna/words.json"), 2)
    'anna/words'
    """
    bare = path if is_folder(path) else path.with_suffix("")
    return "/".join(bare.parts[-depth:] if depth < len(path.parts) else path.parts[1:])


def _decisions(report: DecisionText | None) -> Iterator[str]:
    from spotlab.report.studies.annotators import region_table  # noqa: PLC0415

    if report is not None:
        yield from report.lines()
        if report.compared:
            yield ""
            yield "each annotator (first) and what is decided (second)"
            yield from as_text(region_table(report.compared), "")


def _lines(study: AnnotatorStudy, regions: PairwiseAgreement) -> Iterator[str]:
    from spotlab.report.studies.annotators import (  # noqa: PLC0415
        agreement_table,
        figures_table,
        region_table,
    )

    yield from study.remarks
    for run in study.runs:
        yield ""
        yield f"{run.name}: {len(run.figures.tally):,} of {len(run.run):,} spots evaluated"
        yield from (
            f"  {skipped.spots:,} on {skipped.page}: {skipped.reason}" for skipped in run.left_out
        )
        yield from as_text(figures_table(run.figures, run.name), "")
    if regions.each_two:
        yield ""
        yield "agreement by region: matched from an IoU of 0.5 on, outlines alike from 0.9 on"
        yield from as_text(region_table(regions.each_two), "")
    names = study.annotated.names
    if len(names) > 1:
        yield ""
        yield (
            "agreement of the annotators: F over all areas, per pair, then each against all others"
        )
        yield from as_text(agreement_table(study), "")


@dataclass(frozen=True)
class DecisionText:
    """Decisions between two annotators, and the agreement of each with the decided truth."""

    report: DecisionReport
    against: Mapping[str, AnnotatorAgreement | None]

    def as_json(self) -> dict[str, Any]:
        """The decisions, and by name the agreement with the third truth."""
        against = {name: found and found.as_json() for name, found in self.against.items()}
        return {**self.report.as_json(), "against_decided": against}

    @property
    def compared(self) -> dict[str, AnnotatorAgreement]:
        """Those who share a page with what is decided."""
        return {name: pair for name, pair in self.against.items() if pair is not None}

    def lines(self) -> Iterator[str]:
        """A line with all verdicts, and one for each person."""
        yield ""
        yield self.report.summary
        yield from (f"  by {name}: {count:,}" for name, count in self.report.authors.items())


def report_decisions(
    folder: Path,
    paths: Sequence[Path],
    truths: Mapping[str, TruthSet],
    third: TruthSet,
    progress: Progress,
) -> DecisionText:
    """Count the decisions in a folder between two of the annotators.

    Raises
    ------
    BadInput
        The folder holds no decisions.
    UsageError
        They are between others.
    """
    from spotlab.studies.annotators.decisions import read_decisions  # noqa: PLC0415
    from spotlab.studies.annotators.differences import (  # noqa: PLC0415
        DecisionReport,
        compare_collections,
    )

    log = read_decisions(folder)
    by_path = {}
    if len(paths) == len(truths):  # a file of several annotators is of no decisions
        by_path = {_folder(path): truth for path, truth in zip(paths, truths.values(), strict=True)}
    sides = [by_path.get(_folder(side.folder)) for side in (log.first, log.second)]
    first, second = sides
    if first is None or second is None:
        told = " and ".join(str(_folder(side.folder)) for side in (log.first, log.second))
        problem = f"--decided holds decisions between {told}; give both with --annotator"
        raise click.UsageError(problem, click.get_current_context())
    agreement = compare_collections(first.truths, second.truths, progress=progress)
    if agreement is None:
        raise click.UsageError("the two annotators share no page", click.get_current_context())
    against = {
        name: compare_collections(truth.truths, third.truths, progress=progress)
        for name, truth in truths.items()
    }
    return DecisionText(DecisionReport(log, agreement), against)


def _folder(path: Path) -> Path:
    found = path.resolve()
    return found if is_folder(found) else found.parent
