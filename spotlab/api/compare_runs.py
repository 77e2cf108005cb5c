"""Runs compared: two in full, over parts of the collection, and against several annotators."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spotlab.api.arguments import (
    ResultSummary,
    as_arguments,
    frame_of_rows,
    html_of,
    path_of,
    paths_of,
    text_of,
)
from spotlab.api.evaluate import EvaluationResult, judged_runs, judged_truth
from spotlab.api.job import checked, job
from spotlab.api.read_truth import read_truth
from spotlab.api.settings import AnnotatorSettings, ScalabilitySettings
from spotlab.errors import BadArgument, counted
from spotlab.files import PathLike, is_folder
from spotlab.formats.collection.truth_files import annotators_of
from spotlab.formats.rows.json_values import to_builtins
from spotlab.measures.comparison import FIGURES, ChangedFigures
from spotlab.measures.measure import MeasureSettings
from spotlab.measures.tally import Overlap
from spotlab.model.region import Primitive
from spotlab.progress import Progress, silent
from spotlab.report.comparison import means_table
from spotlab.report.figure_text import written
from spotlab.studies.annotators.agreement import AnnotatorStudy, measure_annotators, put_together
from spotlab.studies.annotators.agreement import as_json as annotators_json
from spotlab.studies.annotators.decisions import read_decisions
from spotlab.studies.annotators.differences import (
    AnnotatorAgreement,
    DecisionReport,
    PairwiseAgreement,
    compare_collections,
    compare_pairs,
)
from spotlab.studies.compare.comparison import ChangeKind, RunComparison
from spotlab.studies.evaluate import evaluate as study
from spotlab.studies.evaluate.evaluation import run_called
from spotlab.studies.evaluate.evaluation_json import (
    areas_as_json,
    change_as_json,
    comparison_as_json,
)
from spotlab.studies.evaluate.scalability import Scalability, measure_scalability
from spotlab.studies.evaluate.scalability import as_json as scalability_json
from spotlab.studies.tally.truth import TruthSet

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True, eq=False, repr=False)
class ComparisonResult:
    """Changes from one run, A, to another, B, as returned by `compare_runs`.

    Attributes
    ----------
    comparison : RunComparison
        All that is known of the two runs.
    result : EvaluationResult
        The evaluation, whose report and dictionary hold the comparison as well.
    """

    comparison: RunComparison
    result: EvaluationResult

    def changes(self) -> DataFrame:
        """A row for each symbol or false spot that is gained or lost, the biggest change first.

        Returns
        -------
        DataFrame
            Columns change ("gained", "lost", "false_gained", "false_lost"), label, page, region,
            area (changed, px²), covered_first, covered_second, iou_first, iou_second (shares in
            [0, 1]; NaN for false spots), rank_first and rank_second (NaN where a run has no spot).
        """
        changes = self.comparison.changes
        rows = [change_as_json(changes, at) for at in range(len(changes))]
        names = ("change", "label", "page", "region", "area")
        pairs = [
            (what, side) for what in ("covered", "iou", "rank") for side in ("first", "second")
        ]
        return frame_of_rows(
            (*names, *(f"{what}_{side}" for what, side in pairs)),
            (
                (*(row[name] for name in names), *(row[side].get(what) for what, side in pairs))
                for row in rows
            ),
        )

    def labels(self) -> DataFrame:
        """A row for each label and figure.

        Returns
        -------
        DataFrame
            Columns label, figure, first, second, change (second minus first), low and high (its
            95 % interval, had other pages been drawn). NaN where undefined.
        """
        return _changed("label", self.comparison.figures.labels)

    def pages(self) -> DataFrame:
        """A row for each page and figure, as `labels`; intervals are over the page's labels.

        Returns
        -------
        DataFrame
            Columns page, figure, first, second, change, low and high.
        """
        return _changed("page", self.comparison.figures.pages)

    def areas(self) -> DataFrame:
        """A row for each page.

        Returns
        -------
        DataFrame
            Columns page, only_first, only_second, both, neither (of the truth), false_only_first,
            false_only_second and false_both, in px²; each query counts by itself.
        """
        pages = self.comparison.pages.items()
        rows = [(name, *areas_as_json(page.sums()).values()) for name, page in pages]
        return frame_of_rows(("page", *areas_as_json({})), rows)

    def as_dict(self) -> dict[str, Any]:
        """Everything, as ``compared`` of ``spotlab evaluate --json``; None where undefined."""
        built: dict[str, Any] = to_builtins(comparison_as_json(self.comparison))
        return built

    @property
    def summary(self) -> ResultSummary:
        """Mean figures of both runs, and how many symbols and false spots change."""
        compared = self.comparison
        table = means_table(compared)
        heads = tuple(column.title for column in table.columns)
        rows = tuple(
            tuple(f"{cell.text} {cell.note}".strip() for cell in row) for row in table.rows
        )
        counts = compared.changes.count()
        said = (
            f"{counted(counts[ChangeKind.GAINED], 'symbol')} gained, "
            f"{counts[ChangeKind.LOST]:,} lost; "
            f"{counts[ChangeKind.FALSE_GAINED]:,} new false spots, "
            f"{counts[ChangeKind.FALSE_LOST]:,} gone"
        )
        return ResultSummary(
            f"{compared.first.name} → {compared.second.name}", heads, rows, (said,)
        )

    __repr__ = text_of
    _repr_html_ = html_of


@checked
def compare_runs(
    result: EvaluationResult, first: PathLike | None = None, second: PathLike | None = None
) -> ComparisonResult:
    """Compare two evaluated runs: what changes from the first, A, to the second, B.

    Parameters
    ----------
    result : EvaluationResult
        What `evaluate` gave.
    first, second : str or path, optional
        The runs' names or files; may be left out where two runs were evaluated.

    Returns
    -------
    ComparisonResult

    Raises
    ------
    BadArgument
        No run has such a name or file, or both are the same run.

    Examples
    --------
    >>> import spotlab
    >>> plans = spotlab.sample_collection()
    >>> runs = [plans / "runs" / "a_ratios.csv", plans / "runs" / "c_polygons.csv"]
    >>> found = compare_runs(spotlab.evaluate(plans, runs, draws=0))
    >>> found.comparison.first.name, found.comparison.second.name
    ('a_ratios', 'c_polygons')
    >>> found.changes().columns[:5].tolist()
    ['change', 'label', 'page', 'region', 'area']
    """
    runs = result.evaluation.runs
    if first is None and second is None and len(runs) == 2:
        names = (runs[0].name, runs[1].name)
    else:
        with as_arguments():
            named = [(run.name, run.run) for run in runs]
            names = (run_called(named, first, "compare"), run_called(named, second, "compare"))
    if names[0] == names[1]:
        raise BadArgument(f"`compare` names {names[0]} twice; expected two runs")
    evaluation = replace(result.evaluation, pair=names)
    compared = evaluation.compared
    assert compared is not None  # both runs are there
    return ComparisonResult(compared, EvaluationResult(evaluation))


def _changed(name: str, changed: ChangedFigures) -> DataFrame:
    rows = [
        (
            label,
            figure,
            float(changed.before[figure][row]),
            float(changed.after[figure][row]),
            float(changed.change(figure)[row]),
            *(changed.interval(figure, row) or (None, None)),
        )
        for row, label in enumerate(changed.names)
        for figure in FIGURES
    ]
    return frame_of_rows((name, "figure", "first", "second", "change", "low", "high"), rows)


@dataclass(frozen=True, eq=False, repr=False)
class ScalabilityResult:
    """Change of runs' curves with the number of classes and pages; `scalability` makes it.

    Attributes
    ----------
    scalability : Scalability
        Table 3 and Figs. 9 and 10 of the paper, of each run.
    notes : mapping of str to tuple of str
        By run, what was left out or may surprise.
    """

    scalability: Scalability
    notes: Mapping[str, tuple[str, ...]]

    @property
    def remarks(self) -> tuple[str, ...]:
        """Return what was left out or may surprise, a line each."""
        return tuple(f"{run}: {line}" for run, lines in self.notes.items() for line in lines)

    def frame(self) -> DataFrame:
        """A row for each run and figure: deviations between numbers of classes (Table 3).

        Returns
        -------
        DataFrame
            Columns run, figure ("recall", "precision", "f"), mean and maximum (of the standard
            deviation between numbers of classes), by_chance (the mean that random drawing alone
            causes): shares in [0, 1]. NaN where undefined.
        """
        names = ("mean_deviation", "largest_deviation", "mean_by_chance")
        rows = [
            (run.name, figure, *(getattr(getattr(run, figure), name) for name in names))
            for run in self.scalability.runs
            for figure in ("recall", "precision", "f")
        ]
        return frame_of_rows(("run", "figure", "mean", "maximum", "by_chance"), rows)

    def sizes(self) -> DataFrame:
        """A row for each run and part of the collection (Fig. 10).

        Returns
        -------
        DataFrame
            Columns run, classes, pages, symbols (mean over the draws), recognition_rate and
            recognition_spread (%), false_positives and false_positives_spread (per query). NaN
            where undefined.
        """
        names = (
            "classes", "pages", "symbols", "recognition_rate", "recognition_spread",
            "false_positives", "false_positives_spread",
        )  # fmt: skip
        rows = [
            (run.name, *(getattr(part, name) for name in names))
            for run in self.scalability.runs
            for part in run.sizes
        ]
        return frame_of_rows(("run", *names), rows)

    def as_dict(self) -> dict[str, Any]:
        """Everything in the layout of ``spotlab scalability --json``; None where undefined."""
        notes = [{"name": name, "remarks": list(lines)} for name, lines in self.notes.items()]
        return {**scalability_json(self.scalability), "notes": notes}

    @checked
    def write_report(self, folder: PathLike, *, progress: Progress = silent) -> Path:
        """Write a report with tables and plots.

        Parameters
        ----------
        folder : path
            Made if it is not there.
        progress : callable
            Told how far it is.

        Raises
        ------
        NotSaved
            It cannot be written.
        """
        from spotlab.report.studies.scalability import write_scalability  # noqa: PLC0415 - a second

        return write_scalability(self.scalability, Path(folder), progress)

    @property
    def summary(self) -> ResultSummary:
        """Mean deviations, as in Table 3."""
        rows = tuple(
            (
                run.name,
                *(written(each.mean_deviation) for each in (run.recall, run.precision, run.f)),
            )
            for run in self.scalability.runs
        )
        title = (
            f"Mean deviation between {counted(len(self.scalability.counts), 'number')} of classes"
        )
        return ResultSummary(title, ("run", "recall", "precision", "F"), rows, self.remarks)

    __repr__ = text_of
    _repr_html_ = html_of


@job(ScalabilitySettings)
def scalability(chosen: ScalabilitySettings) -> ScalabilityResult:
    """Measure how the curves of runs change with the number of classes and pages.

    Parameters
    ----------
    chosen : ScalabilitySettings
        The parameters are its attributes.

    Returns
    -------
    ScalabilityResult

    Raises
    ------
    SpotlabError
        Something cannot be read, or the truth has no labelled region.

    References
    ----------
    M. Rusiñol and J. Lladós, "A performance evaluation protocol for symbol spotting systems in
    terms of recognition and location indices", IJDAR 12(2), 2009, §4.4: Table 3, Figs. 9 and 10.

    Examples
    --------
    >>> from spotlab.resources import sample_collection
    >>> plans = sample_collection()
    >>> scalability(plans, plans / "runs" / "a_ratios.csv", draws=2).sizes()["pages"].tolist()
    [4, 8, 12]
    """
    with as_arguments():
        settings = MeasureSettings(
            Overlap(chosen.overlap), chosen.beta, chosen.recognised, missing=chosen.missing
        )
    truth_set = judged_truth(chosen)
    evaluation = study.evaluate(
        truth_set,
        judged_runs(chosen, truth_set),
        settings,
        primitive=None if chosen.primitive is None else Primitive(chosen.primitive),
        draws=0,
        jobs=chosen.jobs,
        cluster=chosen.cluster,
        cache=path_of(chosen.cache),
        confusion=False,
        progress=chosen.progress,
    )
    measured = measure_scalability(
        [run.name for run in evaluation.runs],
        [run.figures for run in evaluation.runs],
        draws=chosen.draws,
        seed=chosen.seed,
        step=chosen.step,
        progress=chosen.progress,
    )
    return ScalabilityResult(measured, {run.name: run.remarks for run in evaluation.runs})


@dataclass(frozen=True, eq=False, repr=False)
class AnnotatorsResult:
    """Runs against several annotators, and these against each other; `annotators` makes it.

    Attributes
    ----------
    study : AnnotatorStudy
        Figures by area.
    regions : PairwiseAgreement
        Agreement of each two by region.
    decisions : DecisionReport or None
        What somebody has decided between two of them.
    against : mapping of str to AnnotatorAgreement or None
        By name, the agreement with what was decided; None where they share no page.
    """

    study: AnnotatorStudy
    regions: PairwiseAgreement
    decisions: DecisionReport | None = None
    against: Mapping[str, AnnotatorAgreement | None] = field(default_factory=dict)

    @property
    def remarks(self) -> tuple[str, ...]:
        """Return what was read of each annotator, a line each."""
        return self.study.remarks

    @property
    def compared(self) -> dict[str, AnnotatorAgreement]:
        """Agreement with what was decided, of those who share a page with it."""
        return {name: pair for name, pair in self.against.items() if pair is not None}

    def frame(self) -> DataFrame:
        """A row for each run and figure, and for each annotator held against the others.

        Returns
        -------
        DataFrame
            Columns name, is_run, figure (such as "expected_precision"), mean (over the queries) and
            pooled (all areas together), shares in [0, 1]; NaN where undefined.
        """
        named = [(run.name, True, run.figures) for run in self.study.runs]
        people = zip(self.study.annotated.names, self.study.agreement, strict=True)
        named += [(name, False, figures) for name, figures in people if figures is not None]
        rows = [
            (name, is_run, figure, mean, figures.pooled()[figure])
            for name, is_run, figures in named
            for figure, mean in figures.mean().items()
        ]
        return frame_of_rows(("name", "is_run", "figure", "mean", "pooled"), rows)

    def pairs(self) -> DataFrame:
        """A row for each two annotators who share a page.

        Returns
        -------
        DataFrame
            Columns pair, pages, iou (of areas, in [0, 1]), kappa, and numbers of regions: those
            that match and those that differ, by kind. NaN where undefined.
        """
        found = {name: pair.as_json() for name, pair in self.regions.each_two.items()}
        names = list(dict.fromkeys(name for each in found.values() for name in each))
        return frame_of_rows(
            ("pair", *names),
            [(pair, *(each[name] for name in names)) for pair, each in found.items()],
        )

    def as_dict(self) -> dict[str, Any]:
        """Everything in the layout of ``spotlab annotators --json``; None where undefined."""
        value: dict[str, Any] = annotators_json(self.study)
        value["agreement"]["regions"] = self.regions.as_json()
        if self.decisions is not None:
            against = {name: found and found.as_json() for name, found in self.against.items()}
            value["decisions"] = {**self.decisions.as_json(), "against_decided": against}
        return value

    @checked
    def write_report(self, folder: PathLike) -> Path:
        """Write a report with tables; gives the page to open.

        Parameters
        ----------
        folder : path
            Made if it is not there.

        Raises
        ------
        NotSaved
            It cannot be written.
        """
        from spotlab.report.studies.annotators import write_annotators  # noqa: PLC0415 - matplotlib

        compared = None if self.decisions is None else self.compared
        return write_annotators(self.study, Path(folder), regions=self.regions, against=compared)

    @property
    def summary(self) -> ResultSummary:
        """Agreement of each two annotators by area, and the expected F of each run."""
        rows = [(name, written(pair.iou)) for name, pair in self.regions.each_two.items()]
        runs = [(run.name, written(run.figures.pooled()["expected_f"])) for run in self.study.runs]
        title = f"{counted(len(self.study.annotated.names), 'annotator')}: area IoU of each two"
        if runs:
            title += ", expected F of runs"
        return ResultSummary(title, ("", "value"), (*rows, *runs), self.remarks)

    __repr__ = text_of
    _repr_html_ = html_of


@job(AnnotatorSettings)
def annotators(chosen: AnnotatorSettings) -> AnnotatorsResult:
    """Evaluate runs against several annotators, and the annotators against each other.

    The relevance of a pixel is the share of the page's annotators whose regions cover it. A page
    without a truth file counts as not seen by that annotator.

    Parameters
    ----------
    chosen : AnnotatorSettings
        The parameters are its attributes.

    Returns
    -------
    AnnotatorsResult

    Raises
    ------
    SpotlabError
        Something cannot be read, or two annotators have a page in different sizes.

    Examples
    --------
    >>> page = {"page": ["plan"], "label": ["bed"], "page_width": [100], "page_height": [100]}
    >>> anna = page | {"points": ["0,0 20,0 20,10 0,10"]}
    >>> bert = page | {"points": ["0,0 10,0 10,10"]}
    >>> annotators({"Anna": anna, "Bert": bert}).pairs()["iou"].round(2).tolist()
    [0.25]
    """
    truths, folders = _truths_of(chosen)
    study_of = measure_annotators(
        truths,
        judged_runs(chosen, put_together(truths.values()), list(truths.values())),
        beta=chosen.beta,
        jobs=chosen.jobs,
        progress=chosen.progress,
    )
    regions = compare_pairs(study_of.annotated, chosen.progress)
    if chosen.decided is None:
        return AnnotatorsResult(study_of, regions)
    third = _truth_of(chosen.decided, chosen)
    decisions = _decisions(Path(chosen.decided), truths, folders, chosen.progress)
    against = {
        name: compare_collections(truth.truths, third.truths, progress=chosen.progress)
        for name, truth in truths.items()
    }
    return AnnotatorsResult(study_of, regions, decisions, against)


def _truth_of(source: Any, chosen: AnnotatorSettings, person: str | None = None) -> TruthSet:
    return read_truth(
        source, words=chosen.words, texts=chosen.texts, strict=chosen.strict, annotator=person,
        progress=chosen.progress,
    ).truth_set  # fmt: skip


def _truths_of(chosen: AnnotatorSettings) -> tuple[dict[str, TruthSet], dict[str, Path]]:
    """Each annotator's truth by name, and the folders of those that have one of their own.

    The name is the one that the file gives, or that of the folder or file.
    """
    given: Any = chosen.annotators
    if isinstance(given, Mapping):
        return {str(name): _truth_of(each, chosen) for name, each in given.items()}, {}
    paths = [path.resolve() for path in paths_of(given, "annotators", EXPECTED)]
    if len(set(paths)) < len(paths):
        raise BadArgument("`annotators` has the same path twice")
    depth = 1
    while len({_name(path, depth) for path in paths}) < len(paths):
        depth += 1
    found: dict[str, TruthSet] = {}
    folders: dict[str, Path] = {}
    for path in paths:
        people = annotators_of(path, chosen.progress)
        for person in people or [""]:
            name = person or _name(path, depth)
            name = f"{_name(path, depth)}/{name}" if name in found else name
            found[name] = _truth_of(path, chosen, person or None)
            if len(people) < 2:  # a file of several annotators is of no decisions
                folders[name] = _folder(path)
    return found, folders


EXPECTED = "a path, several paths, or a mapping of names to truth"


def _name(path: Path, depth: int) -> str:
    """The last parts of a path, without an ending; all of it where it has no more parts.

    Examples
    --------
    >>> _name(Path("/data/anna/words.json"), 2)
    'anna/words'
    """
    bare = path if is_folder(path) else path.with_suffix("")
    return "/".join(bare.parts[-depth:] if depth < len(path.parts) else path.parts[1:])


def _folder(path: Path) -> Path:
    found = path.resolve()
    return found if is_folder(found) else found.parent


def _decisions(
    folder: Path, truths: Mapping[str, TruthSet], folders: Mapping[str, Path], progress: Progress
) -> DecisionReport:
    """The decisions in a folder between two of the annotators.

    Raises
    ------
    BadInput
        The folder holds no decisions.
    BadArgument
        They are between others.
    """
    log = read_decisions(folder)
    by_folder = {path: truths[name] for name, path in folders.items()}
    sides = [_folder(side.folder) for side in (log.first, log.second)]
    first, second = (by_folder.get(side) for side in sides)
    if first is None or second is None:
        told = " and ".join(map(str, sides))
        raise BadArgument(f"`decided` holds decisions between {told}; give both with `annotators`")
    agreement = compare_collections(first.truths, second.truths, progress=progress)
    if agreement is None:
        raise BadArgument("the two `annotators` share no page")
    return DecisionReport(log, agreement)
