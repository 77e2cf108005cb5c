"""Systems compared by what they agree on, without ground truth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from spotlab.api.arguments import PathLike, as_arguments, check_choice
from spotlab.api.summary import Summary, html_of, text_of
from spotlab.api.tables import data_frame
from spotlab.api.vote_sources import TruthOfVotes, VoteSource, read_said, votes_of, with_factors
from spotlab.errors import counted
from spotlab.formats.votes import known_vote_formats
from spotlab.formats.votes.format import Method, VoteOptions
from spotlab.progress import Progress, silent
from spotlab.report.figure_text import written
from spotlab.studies.systems import comparison as study
from spotlab.studies.systems.comparison import SystemComparison
from spotlab.studies.systems.comparison_json import as_json
from spotlab.studies.systems.table_truth import answers_of

if TYPE_CHECKING:
    from pandas import DataFrame

    from spotlab.consensus.recommendation import Recommendation


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
        """Which estimate to look at first, and why; its figures are those of `recommended`."""
        return self.comparison.recommendation

    def recommended(self) -> DataFrame:
        """A row for each system by the estimate that `recommendation` names.

        Returns
        -------
        DataFrame
            Columns system, rank (by F), precision, recall and f. Shares in [0, 1]; NaN where
            undefined.
        """
        figures = self.comparison.recommended.figures
        return data_frame(
            {
                "system": list(self.comparison.systems),
                "rank": figures.rank,
                "precision": figures.precision,
                "recall": figures.recall,
                "f": figures.f,
            }
        )

    def frame(self) -> DataFrame:
        """A row for each system by the weights given, else by those of the paper.

        Returns
        -------
        DataFrame
            Columns system, rank (by F), precision, recall and f without truth, f_low and f_high
            (its 95 % interval); true_rank, true_precision, true_recall and true_f where the truth
            is known. Shares in [0, 1]; NaN where undefined.
        """
        found = self.comparison
        figures, truth, intervals = found.main.figures, found.truth, found.intervals
        undefined = np.full(len(found.systems), np.nan)
        return data_frame(
            {
                "system": list(found.systems),
                "rank": figures.rank,
                "precision": figures.precision,
                "recall": figures.recall,
                "f": figures.f,
                "f_low": undefined if intervals is None else intervals.f[:, 0],
                "f_high": undefined if intervals is None else intervals.f[:, 1],
                "true_rank": undefined if truth is None else truth.rank,
                "true_precision": undefined if truth is None else truth.precision,
                "true_recall": undefined if truth is None else truth.recall,
                "true_f": undefined if truth is None else truth.f,
            }
        )

    def methods(self) -> DataFrame:
        """A row for each method and system.

        Returns
        -------
        DataFrame
            Columns method, system, rank, precision, recall, f (shares in [0, 1]); NaN where
            undefined.
        """
        found = self.comparison
        every, count = found.methods, len(found.systems)
        figures = [each.figures for each in every]
        return data_frame(
            {
                "method": [each.name for each in every for _ in range(count)],
                "system": list(found.systems) * len(every),
                "rank": np.concatenate([each.rank for each in figures]),
                "precision": np.concatenate([each.precision for each in figures]),
                "recall": np.concatenate([each.recall for each in figures]),
                "f": np.concatenate([each.f for each in figures]),
            }
        )

    def as_dict(self) -> dict[str, Any]:
        """Everything in the layout of ``spotlab consensus --json``; None where undefined."""
        built: dict[str, Any] = as_json(self.comparison)
        return built

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
        from spotlab.report.consensus import write_comparison  # noqa: PLC0415 - matplotlib

        return write_comparison(self.comparison, Path(folder))

    @property
    def summary(self) -> Summary:
        """The systems, the best first."""
        found = self.comparison
        figures, truth = found.main.figures, found.truth
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
        return Summary(title, heads, rows, (advice, *self.remarks))

    __repr__ = text_of
    _repr_html_ = html_of


def compare_systems(
    votes: VoteSource,
    *,
    truth: TruthOfVotes | None = None,
    kind: str | None = None,
    weights: Mapping[str, float] | None = None,
    oracle: str | None = None,
    group_by: str | None = None,
    factors: Mapping[str, Mapping[str, str]] | None = None,
    method: Literal["bag-of-words", "alignment"] = "bag-of-words",
    depth: int = 100,
    overlap: float = 0.5,
    yes: Sequence[str] = (),
    min_votes: int = 0,
    beta: float = 1.0,
    draws: int = 1000,
    resample: Literal["items", "pages"] = "items",
    seed: int = 0,
    answers: PathLike | None = None,
    skip_bad_lines: bool = False,
    progress: Progress = silent,
) -> SystemComparisonResult:
    """Compare systems by what they agree on: precision, recall and F without ground truth.

    Parameters
    ----------
    votes : path, DataFrame, mapping, array, or sequence of path
        A table of votes, runs of TREC, runs of spotted regions, or a folder of texts, PAGE or ALTO
        files for each system. A DataFrame or mapping has a column for each system, with votes in
        [0, 1] and NaN or None where unknown, and may have item (names), truth (1, 0) and page. An
        array is (N, S) float: N items, S systems.
    truth : path, sequence of path, or (N,) array, optional
        What is right: relevance judgements, CSV item,truth, texts like those of a system, truth
        files for spotted regions; or for a table of votes 1, 0 or NaN for each item.
    kind : str, optional
        What files are, such as "csv" or "trec"; by their content by default.
    weights : mapping of str to float, optional
        Of systems, "top" and "bottom"; whoever has none shares what is left of 1.
    oracle : str, optional
        A system that knows, or "truth". It is not compared.
    group_by : str, optional
        A factor of the systems: those of the same value are compared among themselves, too.
    factors : mapping of str to mapping of str to str, optional
        What is known of the systems: for each factor its value by system.
    method : "bag-of-words" or "alignment"
        How texts become items.
    depth : int
        Of ranked lists: a system votes for the documents at its first ranks, up to this one.
    overlap : float
        Of spotted regions: intersection over union in (0, 1] from which two are the same item.
    yes : sequence of str
        Of answers in words: those that are a yes.
    min_votes : int
        Nothing is said of systems with fewer known votes; they vote all the same.
    beta : float
        Weight of recall in F; above 1 recall weighs more.
    draws : int
        Number of bootstrap draws for the intervals; 0 leaves them out.
    resample : "items" or "pages"
        What the bootstrap draws.
    seed : int
        Of the bootstrap.
    answers : path, optional
        What is known of a few items: CSV item,relevant[,inclusion][,round].
    skip_bad_lines : bool
        Compare what can be read.
    progress : callable
        Told how far it is.

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
    >>> compare_systems(votes, draws=0).frame()["precision"].round(3).tolist()
    [0.6, 0.667, 0.667]
    """
    check_choice(method, "method", ("bag-of-words", "alignment"))
    check_choice(resample, "resample", ("items", "pages"))
    if kind is not None:
        check_choice(kind, "kind", known_vote_formats())
    with as_arguments():
        how: Method = "alignment" if method == "alignment" else "bag_of_words"
        options = VoteOptions(how, depth, overlap, tuple(yes))
        table = votes_of(
            votes, truth, kind, options, skip_bad_lines=skip_bad_lines, progress=progress
        )
        table = with_factors(table, factors or {})
        said = None if answers is None else read_said(
            Path(answers), table, skip_bad_lines=skip_bad_lines, progress=progress
        )  # fmt: skip
        comparison = study.compare_systems(
            table,
            weights or {},
            oracle,
            group_by,
            draws=draws,
            seed=seed,
            beta=beta,
            by_pages=resample == "pages",
            min_votes=min_votes,
            answers=None if said is None else answers_of(table, said),
            progress=progress,
        )
    return SystemComparisonResult(comparison)
