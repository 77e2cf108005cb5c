"""Systems' answers evaluated against subjects: their judgements, or how they would rank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spotlab.api.arguments import (
    ResultSummary,
    as_arguments,
    frame_of_rows,
    html_of,
    is_path,
    is_table,
    read_source,
    refuse,
    stacked,
    text_of,
)
from spotlab.api.job import checked, job, unusable
from spotlab.api.settings import DisplacementSettings, UncertainTruthSettings
from spotlab.errors import BadArgument, BadLines, SpotlabError, counted
from spotlab.files import PathLike
from spotlab.formats.judgement_trees import read_judgements, read_tree
from spotlab.formats.lists.rankings import Ranking, read_answers, read_ideal
from spotlab.progress import Progress, silent
from spotlab.report.figure_text import written
from spotlab.studies.uncertain.study import JudgedAnswer, UncertainSettings, UncertainStudy
from spotlab.studies.uncertain.study import study_uncertainty as study
from spotlab.studies.uncertain.study_json import as_json
from spotlab.studies.uncertain.subject_displacement import displace
from spotlab.studies.words.displacement import DisplacementStudy, measure_displacement
from spotlab.studies.words.displacement import as_json as displacement_json
from spotlab.uncertain_truth.judgements import CategoryTree, Judgements

if TYPE_CHECKING:
    from pandas import DataFrame

BANDS = ("mean", "median", "half_low", "half_high", "low", "high")
COLUMNS = ("system", "query", "cut_off", *(f"precision_{name}" for name in BANDS),
           *(f"recall_{name}" for name in BANDS))  # fmt: skip


@dataclass(frozen=True, eq=False, repr=False)
class UncertainResult:
    """Precision and recall as distributions; `uncertain` makes it.

    Attributes
    ----------
    study : UncertainStudy
        The distributions of every answer, and the systems compared.
    displacements : tuple of DisplacementStudy
        How far each system is from how the subjects would rank, under two hypotheses.
    read_remarks : tuple of str
        What a person should know of what was read, a line each.
    """

    study: UncertainStudy
    displacements: tuple[DisplacementStudy, ...] = ()
    read_remarks: tuple[str, ...] = ()

    @property
    def remarks(self) -> tuple[str, ...]:
        """Return what a person should know, a line each."""
        return (*self.read_remarks, *self.study.remarks)

    def frame(self) -> DataFrame:
        """A row for each answer and cut-off.

        Returns
        -------
        DataFrame
            Columns system, query, cut_off (a rank from 1), and of precision and of recall the mean,
            the median, the middle 50 % (half_low, half_high) and the middle 95 % (low, high), such
            as precision_mean. Recall can pass 1; NaN where undefined.
        """
        return stacked([_bands(answer) for answer in self.study.answers], COLUMNS)

    def systems(self) -> DataFrame:
        """A row for each system: its mean over its queries at the compared cut-off.

        Returns
        -------
        DataFrame
            Columns system, queries, precision (the mean of its distribution), precision_low and
            precision_high (the middle 95 %), recall. NaN where undefined.
        """
        rows = []
        for each in self.study.means:
            own = each.precision
            found = (None,) * 3 if own is None else (own.mean, *own.band(0.95))
            rows.append((each.system, each.queries, *found, each.recall))
        names = ("system", "queries", "precision", "precision_low", "precision_high", "recall")
        return frame_of_rows(names, rows)

    def comparisons(self) -> DataFrame:
        """A row for each two systems at the compared cut-off.

        Returns
        -------
        DataFrame
            Columns a, b, better, equal and worse (probabilities in [0, 1] that a's precision is
            higher, the same, lower), difference (its mean), low and high (its middle 95 %),
            queries. NaN where undefined.
        """
        names = ("a", "b", "better", "equal", "worse", "difference", "low", "high", "queries")
        rows = []
        for pair in self.study.comparisons:
            own = pair.comparison
            values: tuple[Any, ...] = (None,) * 6 + (0,)
            if own is not None:
                chances = (own.superiority, own.equality, own.inferiority)
                values = (*chances, own.mean, *own.interval, own.queries)
            rows.append((pair.a, pair.b, *values))
        return frame_of_rows(names, rows)

    def as_dict(self) -> dict[str, Any]:
        """Everything in the layout of ``spotlab uncertain --json``; None where undefined."""
        built: dict[str, Any] = as_json(self.study, self.displacements, self.read_remarks)
        return built

    @checked
    def write_report(self, folder: PathLike, *, progress: Progress = silent) -> Path:
        """Write tables and figures.

        Parameters
        ----------
        folder : path
            Made if it is not there.
        progress : callable
            Told how far it is.

        Raises
        ------
        NotSaved
            They cannot be written.
        """
        from spotlab.report.studies.uncertain import write_uncertain  # noqa: PLC0415 - matplotlib

        return write_uncertain(
            self.study, self.displacements, self.read_remarks, Path(folder), progress
        )

    @property
    def summary(self) -> ResultSummary:
        """The systems at the compared cut-off."""
        found = self.study
        rows = []
        for each in found.means:
            own = each.precision
            band = ["–"] * 3 if own is None else list(map(written, (own.mean, *own.band(0.95))))
            rows.append((each.system, f"{each.queries:,}", *band, written(each.recall)))
        heads = ("system", "queries", "precision", "95 % from", "to", "recall")
        at = "" if found.compared_at is None else f", compared at rank {found.compared_at}"
        subjects = len(found.relevance.judgements.subjects)
        title = f"{counted(len(found.systems), 'system')}, {counted(subjects, 'subject')}{at}"
        return ResultSummary(title, heads, tuple(rows), (*found.captions[:1], *self.remarks))

    __repr__ = text_of
    _repr_html_ = html_of


@job(UncertainTruthSettings)
def uncertain(chosen: UncertainTruthSettings) -> UncertainResult:
    """Evaluate answers against judgements that do not agree.

    Precision and recall become distributions.

    Parameters
    ----------
    chosen : UncertainTruthSettings
        The parameters are its attributes.

    Returns
    -------
    UncertainResult
        Recall is undefined where a category is expected to have no item.

    Raises
    ------
    SpotlabError
        Something cannot be read, the tree is none, there is no answer, or a value is out of range.

    References
    ----------
    S. Santini, "Benchmarking without ground truth", eqs. 6 to 14.

    Examples
    --------
    >>> judgements = {"subject": ["A", "A", "B", "B"], "item": ["one", "two", "one", "two"],
    ...               "category": ["people", "scenery", "people", "people"]}
    >>> answers = {"query": ["people", "people"], "rank": [1, 2], "item": ["one", "two"]}
    >>> tree = {"people": "all", "scenery": "all"}
    >>> result = uncertain(judgements, tree, answers, relevance="shares")
    >>> result.frame()[["cut_off", "precision_mean"]].values.tolist()
    [[1.0, 1.0], [2.0, 0.75]]
    """
    if chosen.compare_at is not None and chosen.compare_at < 1:
        raise BadArgument(f"`compare_at` is {chosen.compare_at}; expected a rank from 1 on")
    with as_arguments():
        settings = UncertainSettings(
            cut_offs=tuple(sorted(set(chosen.cut_offs))),
            mixture="direct" if chosen.mixture == "direct" else "whole_tree",
            shift=chosen.shift,
            relevance=chosen.relevance,
            unjudged="undefined" if chosen.unjudged == "undefined" else "left_out",
            compare_at=chosen.compare_at,
            quality=chosen.quality,
            steepness=chosen.steepness,
        )
    remarks: list[str] = []
    bad: list[str] = []
    categories = _tree(chosen.tree, remarks, chosen.progress)
    judged = _judged(chosen.judgements, categories, remarks, bad, chosen.progress)
    rankings = [
        ranking
        for each in _several(chosen.answers)
        for ranking in _answers(each, remarks, bad, chosen.progress)
    ]
    remarks[:0] = refuse(bad, chosen.strict or not chosen.skip_bad_lines)
    if bad and not (judged.items and rankings):
        raise SpotlabError(f"{bad[0]}; expected at least one line that can be read")
    with as_arguments():
        found = study(judged, rankings, settings, chosen.progress)
    return UncertainResult(
        found,
        displace(judged, rankings, chosen.progress, settings.quality, settings.steepness),
        tuple(remarks),
    )


def _tree(source: Any, remarks: list[str], progress: Progress) -> CategoryTree:
    if isinstance(source, Mapping) and not is_table(source, "category", "parent"):
        source = {"category": list(source), "parent": list(source.values())}
    expected = "the columns category, parent, or a mapping of categories"
    read = read_source(source, "tree", expected, partial(read_tree, progress=progress))
    if read.tree is None:
        raise BadLines([str(line) for line in read.bad_lines], "a tree has to be right as a whole")
    remarks += read.remarks
    return read.tree


def _judged(
    source: Any, tree: CategoryTree, remarks: list[str], bad: list[str], progress: Progress
) -> Judgements:
    expected = "the columns subject, item, category"
    read = read_source(
        source, "judgements", expected, lambda path: read_judgements(path, tree, progress)
    )
    bad += map(str, read.bad_lines)
    remarks += read.remarks
    return read.judgements


def _several(answers: Any) -> list[Any]:
    if is_path(answers) or is_table(answers):
        return [answers]
    if not isinstance(answers, Sequence):
        raise unusable(answers, "answers", "a path, a table with the columns query, rank, item")
    return list(answers)


def _answers(
    source: Any, remarks: list[str], bad: list[str], progress: Progress
) -> tuple[Ranking, ...]:
    expected = "the columns query, rank, item, and system"
    read = read_source(
        source, "answers", expected, partial(read_answers, progress=progress), {"system": "system"}
    )
    bad += map(str, read.bad_lines)
    remarks += read.remarks
    return read.rankings


def _bands(answer: JudgedAnswer) -> dict[str, list[Any]]:
    bands = answer.bands
    count = len(bands.cut_off)
    columns: dict[str, list[Any]] = {
        "system": [answer.system] * count,
        "query": [answer.query] * count,
        "cut_off": bands.cut_off.tolist(),
    }
    for name, band in (("precision", bands.precision), ("recall", bands.recall)):
        values = (band.mean, band.median, *band.middle_50.T, *band.middle_95.T)
        for kind, column in zip(BANDS, values, strict=True):
            columns[f"{name}_{kind}"] = column.tolist()
    return columns


@dataclass(frozen=True, eq=False, repr=False)
class DisplacementResult:
    """Distance of systems' answers from the rankings of subjects; `displacement` makes it.

    Attributes
    ----------
    study : DisplacementStudy
        The systems, best first.
    read_remarks : tuple of str
        What a person should know of what was read, a line each.
    """

    study: DisplacementStudy
    read_remarks: tuple[str, ...] = ()

    @property
    def remarks(self) -> tuple[str, ...]:
        """Return what a person should know, a line each."""
        return (*self.read_remarks, *self.study.remarks)

    def frame(self) -> DataFrame:
        """A row for each system, and for each system and subject.

        Returns
        -------
        DataFrame
            Columns system (the best first), subject (None for the mean over all), displacement
            (smaller is better) and quality (in [0, 1]).
        """
        rows: list[tuple[Any, ...]] = []
        for system in self.study.systems:
            rows.append((system.system, None, system.displacement, system.quality))
            rows += [
                (system.system, each.subject, each.displacement, each.quality)
                for each in system.subjects
            ]
        return frame_of_rows(("system", "subject", "displacement", "quality"), rows)

    def as_dict(self) -> dict[str, Any]:
        """Everything in the layout of ``spotlab displacement --json``."""
        built: dict[str, Any] = displacement_json(self.study, self.read_remarks)
        return built

    @property
    def summary(self) -> ResultSummary:
        """Displacement and quality of each system, the best first."""
        rows = tuple(
            (each.system, f"{each.displacement:,.3f}", f"{each.quality:.3f}")
            for each in self.study.systems
        )
        items = counted(self.study.size, "item")
        title = f"weighted displacement, {self.study.missing}, {items}; smaller is better"
        return ResultSummary(title, ("system", "displacement", "quality"), rows, self.remarks)

    __repr__ = text_of
    _repr_html_ = html_of


@job(DisplacementSettings)
def displacement(chosen: DisplacementSettings) -> DisplacementResult:
    """Compare answers with the rankings of subjects by weighted displacement; smaller is better.

    Parameters
    ----------
    chosen : DisplacementSettings
        The parameters are its attributes.

    Returns
    -------
    DisplacementResult

    Raises
    ------
    SpotlabError
        Something cannot be read, or the collection is smaller than what the rankings name.

    References
    ----------
    S. Santini, "Benchmarking without ground truth", §5.

    Examples
    --------
    >>> ideal = {"query": ["cat", "cat"], "rank": [1, 2], "item": ["a", "b"],
    ...          "relevance": [1, 0.5]}
    >>> answers = {"query": ["cat", "cat"], "rank": [1, 2], "item": ["b", "a"]}
    >>> displacement(ideal, answers)
    weighted displacement, optimist, 2 items; smaller is better
    system  displacement  quality
    system         1.500    0.400
    """
    remarks: list[str] = []
    bad: list[str] = []
    needed = "the columns query, rank, item, relevance, and subject"
    ideal = read_source(
        chosen.ideal, "ideal", needed, partial(read_ideal, progress=chosen.progress),
        {"subject": "subject"},
    )  # fmt: skip
    bad += map(str, ideal.bad_lines)
    remarks += ideal.remarks
    answers = [
        ranking
        for source in _several(chosen.answers)
        for ranking in _answers(source, remarks, bad, chosen.progress)
    ]
    left_out = refuse(bad, chosen.strict or not chosen.skip_bad_lines)
    with as_arguments():
        measured = measure_displacement(
            ideal.rankings, answers, chosen.missing, chosen.size, chosen.steepness, chosen.quality
        )
    return DisplacementResult(measured, (*left_out, *remarks))
