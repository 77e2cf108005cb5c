"""Systems compared by what they agree on, without ground truth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from spotlab.api.arguments import (
    ResultSummary,
    as_arguments,
    check_choice,
    columns_of,
    data_frame,
    html_of,
    is_path,
    is_table,
    paths_of,
    read_table,
    refuse,
    text_of,
)
from spotlab.api.job import checked, job, unusable
from spotlab.api.settings import SystemComparisonSettings
from spotlab.errors import BadArgument, BadInput, counted
from spotlab.files import PathLike
from spotlab.formats.rows.json_values import attributes
from spotlab.formats.votes import VoteTable, known_vote_formats, read_votes
from spotlab.formats.votes.answers import ReadAnswers, are_answers, read_answers
from spotlab.formats.votes.csv_long import VOTE_COLUMNS
from spotlab.formats.votes.format import Method, VoteOptions
from spotlab.progress import Progress, silent
from spotlab.report.figure_text import written
from spotlab.studies.systems import comparison as study
from spotlab.studies.systems.comparison import SystemComparison
from spotlab.studies.systems.comparison_json import as_json
from spotlab.studies.systems.voters import answers_of, read_systems, with_truth

if TYPE_CHECKING:
    from pandas import DataFrame

    from spotlab.api.settings import TruthOfVotes, VoteSource
    from spotlab.consensus.comparison import Recommendation, SystemFigures


FIGURES = ("rank", "precision", "recall", "f")


@dataclass(frozen=True, eq=False, repr=False)
class SystemComparisonResult:
    """Systems, and how good they are by what they agree on; `compare_systems` makes it.

    Attributes
    ----------
    comparison : SystemComparison
        Figures by several methods, groups, warnings.
    """

    comparison: SystemComparison

    @property
    def remarks(self) -> tuple[str, ...]:
        """Warnings, and what a person should know of what was read, a line each."""
        return (*self.comparison.warnings, *self.comparison.table.remarks)

    @property
    def recommendation(self) -> Recommendation:
        """Tell which estimate to look at first, and why; its figures are those of `frame`."""
        return self.comparison.recommendation

    def frame(self) -> DataFrame:
        """A row for each system by the weights given, else the estimate that is recommended.

        Returns
        -------
        DataFrame
            Columns system, rank (by F), precision, recall and f without truth, f_low and f_high
            (its 95 % interval); true_rank, true_precision, true_recall and true_f where the truth
            is known. Shares in [0, 1]; NaN where undefined.
        """
        found = self.comparison
        intervals, undefined = found.leading.intervals, np.full(len(found.systems), np.nan)
        low, high = (undefined, undefined) if intervals is None else intervals.f.T
        true = dict.fromkeys(FIGURES, undefined) if found.truth is None else _columns(found.truth)
        return data_frame(
            {
                "system": list(found.systems),
                **_columns(found.leading.figures),
                "f_low": low,
                "f_high": high,
                **{f"true_{name}": values for name, values in true.items()},
            }
        )

    def methods(self) -> DataFrame:
        """A row for each method and system; the figures of `frame` come first.

        Returns
        -------
        DataFrame
            Columns method, system, rank, precision, recall, f (shares in [0, 1]); NaN where
            undefined.
        """
        found = self.comparison
        every, count = found.every, len(found.systems)
        figures = [_columns(each.figures) for each in every]
        return data_frame(
            {
                "method": [each.name for each in every for _ in range(count)],
                "system": list(found.systems) * len(every),
                **{name: np.concatenate([each[name] for each in figures]) for name in FIGURES},
            }
        )

    def as_dict(self) -> dict[str, Any]:
        """Everything in the layout of ``spotlab consensus --json``; None where undefined."""
        built: dict[str, Any] = as_json(self.comparison)
        return built

    @checked
    def write_report(self, folder: PathLike) -> Path:
        """Write an HTML report with tables and plots.

        Parameters
        ----------
        folder : path
            Made if it is not there.

        Returns
        -------
        Path
            The page to open.

        Raises
        ------
        NotSaved
            It cannot be written.
        """
        from spotlab.report.studies.consensus import write_comparison  # noqa: PLC0415 - matplotlib

        return write_comparison(self.comparison, Path(folder))

    @property
    def summary(self) -> ResultSummary:
        """The systems, the best first."""
        found = self.comparison
        figures, truth = found.leading.figures, found.truth
        order = np.argsort(np.nan_to_num(figures.rank, nan=np.inf), kind="stable")
        heads: tuple[str, ...] = ("system", "rank", "precision", "recall", "F")
        columns = [figures.precision, figures.recall, figures.f]
        if truth is not None:
            heads, columns = (*heads, "F with truth"), [*columns, truth.f]
        rows = tuple(
            (
                found.systems[place],
                written(float(figures.rank[place]), "count"),
                *(written(float(column[place])) for column in columns),
            )
            for place in order.tolist()
        )
        title = f"{counted(len(found.systems), 'system')}, {counted(len(found.votes), 'item')}"
        advice = f"Recommended: {found.recommended.title}. {self.recommendation.reason}"
        return ResultSummary(title, heads, rows, (advice, *self.remarks))

    __repr__ = text_of
    _repr_html_ = html_of


def _columns(figures: SystemFigures) -> dict[str, Any]:
    return attributes(figures, *FIGURES)


@job(SystemComparisonSettings)
def compare_systems(chosen: SystemComparisonSettings) -> SystemComparisonResult:
    """Compare systems by what they agree on: precision, recall and F without ground truth.

    Parameters
    ----------
    chosen : SystemComparisonSettings
        The parameters are its attributes.

    Returns
    -------
    SystemComparisonResult
        Precision of a system without a vote for anything is undefined.

    Raises
    ------
    SpotlabError
        Something cannot be read, or there is no such system, factor or kind.

    References
    ----------
    B. Lamiroy and T. Sun, "Computing precision and recall with missing or uncertain ground truth",
    GREC 2011, LNCS 7423, 2013, eqs. 10 to 13.

    Examples
    --------
    Tables 1 to 3 of the paper:

    >>> votes = {"S1": [1, 1, 0, 1, 1, 0, 0], "S2": [1, 1, 1, 0, 0, 0, 0],
    ...          "S3": [1, 1, 0, 0, 0, 1, 0]}
    >>> by_paper = compare_systems(votes).methods().query("method == 'paper'")
    >>> by_paper["precision"].round(3).tolist()
    [0.6, 0.667, 0.667]
    """
    if chosen.kind is not None:
        check_choice(chosen.kind, "kind", known_vote_formats())
    with as_arguments():
        how: Method = "alignment" if chosen.method == "alignment" else "bag_of_words"
        options = VoteOptions(how, chosen.depth, chosen.overlap, tuple(chosen.yes))
        table = votes_of(
            chosen.votes,
            chosen.truth,
            chosen.kind,
            options,
            strict=chosen.strict or not chosen.skip_bad_lines,
            progress=chosen.progress,
        )
        table = with_factors(table, chosen.factors or {})
        said = None
        if chosen.answers is not None:
            said = read_said(
                Path(chosen.answers),
                table,
                strict=chosen.strict or not chosen.skip_bad_lines,
                progress=chosen.progress,
            )
        comparison = study.compare_systems(
            table,
            chosen.weights or {},
            chosen.oracle,
            chosen.group_by,
            seed=chosen.seed,
            beta=chosen.beta,
            min_votes=chosen.min_votes,
            answers=None if said is None else answers_of(table, said),
            progress=chosen.progress,
        )
    return SystemComparisonResult(comparison)


EXPECTED = (
    "a path, several paths, a table with the columns item and one for each system or the columns "
    "item, system and vote, a mapping of systems to votes, or an (N, S) array"
)


def votes_of(
    votes: VoteSource,
    truth: TruthOfVotes | None = None,
    kind: str | None = None,
    options: VoteOptions | None = None,
    *,
    strict: bool = False,
    progress: Progress = silent,
) -> VoteTable:
    """The votes in whatever `compare_systems` takes.

    Parameters
    ----------
    votes : path, DataFrame, mapping, (N, S) array, or sequence of path
    truth : path, sequence of path, or (N,) array, optional
        What is right.
    kind : str, optional
        What files are.
    options : VoteOptions, optional
        How files that are no tables of votes become items.
    strict : bool
        Refuse files with bad lines.
    progress : callable
        Told how far it is.

    Raises
    ------
    SpotlabError
        Something cannot be read.

    Examples
    --------
    >>> table = votes_of({"a": [1, 0], "b": [1, None]}, truth=[1, 0])
    >>> table.systems, table.truth.tolist()
    (('a', 'b'), [1.0, 0.0])
    """
    options = options or VoteOptions()
    if not _are_paths(votes):
        return _of_table(votes, truth, options.yes, strict, progress)
    return _of_files(votes, truth, kind, options, strict, progress)


def with_factors(table: VoteTable, factors: Mapping[str, Mapping[str, str]]) -> VoteTable:
    """The table with more that is known of its systems.

    Parameters
    ----------
    table : VoteTable
    factors : mapping of str to mapping of str to str
        For each factor its value by system.

    Raises
    ------
    BadArgument
        There is no such system.

    Examples
    --------
    >>> with_factors(votes_of({"a": [1], "b": [0]}), {"engine": {"a": "x"}}).factors
    {'engine': ('x', '')}
    """
    for factor, values in factors.items():
        unknown = [name for name in values if name not in table.systems]
        if unknown:
            there = ", ".join(table.systems)
            raise BadArgument(f"`factors`: there is no system {unknown[0]!r}; there are {there}")
        own = tuple(values.get(system, "") for system in table.systems)
        table = replace(table, factors={**table.factors, factor: own})
    return table


def read_said(
    path: Path, table: VoteTable, *, strict: bool = False, progress: Progress = silent
) -> ReadAnswers:
    """Return what is said of some items in a file.

    Parameters
    ----------
    path : Path
    table : VoteTable
        Which has the items.
    strict : bool
        Refuse files with bad lines.
    progress : callable
        Told how far it is.

    Raises
    ------
    SpotlabError
        It cannot be read.
    """
    read = read_answers(path, table.items, progress)
    told = refuse(read.bad_lines, strict)
    if not read.items and read.bad_lines:
        first = read.bad_lines[0]
        raise BadInput(path, first.problem, place=f"line {first.line}", expected="answers")
    return replace(read, remarks=(*told, *read.remarks))


def _are_paths(votes: Any) -> bool:
    """Tell whether votes are named by paths, or are something that only paths can be told apart
    from.
    """
    if is_table(votes):
        return False
    if isinstance(votes, np.ndarray):
        return votes.dtype.kind in "USO"
    if isinstance(votes, Sequence) and not isinstance(votes, str):
        return not len(votes) or not isinstance(votes[0], Sequence | np.ndarray) or isinstance(
            votes[0], str
        )  # fmt: skip
    return True


def _of_files(
    votes: Any, truth: Any, kind: str | None, options: VoteOptions, strict: bool, progress: Progress
) -> VoteTable:
    paths = paths_of(votes, "votes", EXPECTED)
    true = [] if truth is None else paths_of(truth, "truth")
    of_items = [path for path in true if are_answers(path)]
    table = read_systems(
        paths,
        [path for path in true if path not in of_items],
        kind,
        options.method,
        options.depth,
        options.overlap,
        options.yes,
        progress=progress,
    )
    table = replace(table, remarks=(*refuse(table.bad_lines, strict), *table.remarks))
    for path in of_items:
        table = with_truth(table, read_said(path, table, strict=strict, progress=progress))
    return table


def _of_table(
    votes: Any, truth: Any, yes: Sequence[str], strict: bool, progress: Progress
) -> VoteTable:
    what = "the votes"
    if is_table(votes):
        columns = columns_of(votes, what)
    else:
        array = np.asarray(votes, np.float64)
        if array.ndim != 2:
            raise unusable(votes, "votes", EXPECTED)
        columns = {f"system {at}": list(array[:, at - 1]) for at in range(1, array.shape[1] + 1)}
    count = len(next(iter(columns.values()), []))
    names = {name.strip().casefold(): name for name in columns}
    if all(any(name in names for name in each) for each in VOTE_COLUMNS):
        return _of_answers(columns, truth, yes, strict, progress)
    items = columns.pop(names["item"]) if "item" in names else _index_of(votes, count)
    if truth is not None:
        known = list(truth) if not isinstance(truth, str | Path) else []
        if len(known) != count:
            expected = f"one value for each of the {count} items"
            raise unusable(truth, "truth", expected)
        columns["truth"] = known
    table = read_table(
        {"item": items, **columns}, what, lambda path: read_votes(path, "csv", progress=progress)
    )
    told = refuse(table.bad_lines, strict)
    return replace(table, remarks=(*told, *table.remarks), name="votes")


def _of_answers(
    columns: dict[str, list[Any]], truth: Any, yes: Sequence[str], strict: bool, progress: Progress
) -> VoteTable:
    """The votes of a table with the columns item, system and vote, a row for each vote."""

    def read(path: Path) -> VoteTable:
        return read_votes(path, "answers", yes=yes, progress=progress)

    table = read_table(columns, "the votes", read)
    table = replace(table, remarks=(*refuse(table.bad_lines, strict), *table.remarks), name="votes")
    if truth is None:
        return table
    if is_table(truth, "item"):
        told = read_table(
            columns_of(truth, "the truth"),
            "the truth",
            lambda path: read_answers(path, table.items, progress),
        )
    elif is_path(truth):
        told = read_said(Path(truth), table, strict=strict, progress=progress)
    else:
        expected = "a path, or a table with the columns item, truth"
        raise unusable(truth, "truth", f"{expected}, where each vote has a row of its own")
    return with_truth(table, told)


def _index_of(votes: Any, count: int) -> list[Any]:
    """The items' names where no column has them: the table's index, or numbers from 1."""
    index = getattr(votes, "index", None) if hasattr(votes, "columns") else None
    if index is None or type(index).__name__ == "RangeIndex":
        return list(range(1, count + 1))
    return list(index)
