"""Evaluates runs against truth: tallies, figures, errors, intervals, and all that was left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from spotlab.formats.runs.base import BadLine
from spotlab.measures.tally import Ints, Tally
from spotlab.model.region import Primitive
from spotlab.model.run import Run
from spotlab.studies.truth_files import TruthSet

if TYPE_CHECKING:
    from spotlab.measures.bootstrap import Interval
    from spotlab.measures.errors import Errors
    from spotlab.measures.figures import RunFigures, Settings
    from spotlab.measures.significance import Difference


@dataclass(frozen=True)
class LeftOut:
    """Spots of a run on a page that is not evaluated.

    Attributes
    ----------
    page : str
        As the run names it.
    reason : str
        Why, for a person.
    spots : int
        How many.
    """

    page: str
    reason: str
    spots: int


@dataclass(frozen=True)
class Flawed:
    """A truth region whose outline encloses nothing or crosses itself.

    Attributes
    ----------
    page, region : str
        The page's name and the region's id.
    label : str
    """

    page: str
    region: str
    label: str


@dataclass(frozen=True, eq=False)
class RunEvaluation:
    """All that is known of one run.

    Attributes
    ----------
    name : str
        Differs from the names of all other runs here.
    run, tally, figures, errors
    intervals_over_queries, intervals_over_pages : mapping of str to Interval or None
        By figure: of its mean over queries, had other queries or other pages been drawn.
    bad_lines : tuple of BadLine
        What could not be read; nothing of it is evaluated.
    left_out : tuple of LeftOut
        Spots on pages that are unknown or have no truth.
    unknown_queries : mapping of str to int
        How many spots each query has that no truth region is labelled with; they are evaluated, and
        their recall is undefined.
    unsearched : tuple of str
        Labels of the truth for which the run has no spot; their recall is 0, their precision
        undefined.
    without_area, crossing : (n,) int
        Spots (their places in the run) that enclose nothing; whose outline crosses itself or winds
        around some place more than once, so that its area depends on the even-odd rule.
    tied : int
        Evaluated spots whose place in the ranking is only that of the file.
    double_share : float or None
        Summed area of the evaluated spots over the area they cover, each query by itself: 1 where
        nothing is found twice. None where no area is covered.
    remarks : tuple of str
        What reading the run said besides.
    """

    name: str
    run: Run
    tally: Tally
    figures: RunFigures
    errors: Errors
    intervals_over_queries: Mapping[str, Interval | None]
    intervals_over_pages: Mapping[str, Interval | None]
    bad_lines: tuple[BadLine, ...]
    left_out: tuple[LeftOut, ...]
    unknown_queries: Mapping[str, int]
    unsearched: tuple[str, ...]
    without_area: Ints
    crossing: Ints
    tied: int
    double_share: float | None
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Runs against the same truth, under the same settings.

    Attributes
    ----------
    settings : Settings
    primitive : Primitive or None
        What all outlines were turned into; None where they are taken as they are.
    truths : TruthSet
    runs : tuple of RunEvaluation
        In the order they were given.
    comparisons : mapping of (str, str) to mapping of str to Difference or None
        For each two runs by name, the first given first: by figure, first minus second.
    truth_without_area, truth_crossing : tuple of Flawed
        See `RunEvaluation`.
    draws, seed : int
        Of the bootstrap.
    """

    settings: Settings
    primitive: Primitive | None
    truths: TruthSet
    runs: tuple[RunEvaluation, ...]
    comparisons: Mapping[tuple[str, str], Mapping[str, Difference | None]] = field(
        default_factory=dict
    )
    truth_without_area: tuple[Flawed, ...] = ()
    truth_crossing: tuple[Flawed, ...] = ()
    draws: int = 0
    seed: int = 0
