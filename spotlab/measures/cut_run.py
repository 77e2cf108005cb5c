"""A run whose lists are cut, and what it then has found of each truth region."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from spotlab.arrays import Flags, Floats, Ints
from spotlab.measures.figures import RunFigures
from spotlab.measures.iou import iou_pairs, match_spots
from spotlab.measures.page_sums import page_sums
from spotlab.measures.recognition import NEVER
from spotlab.measures.sums import Sums
from spotlab.measures.tally import Tally
from spotlab.representation import short_repr


@dataclass(frozen=True, eq=False)
class CutRun:
    """A run of which every query keeps only its first spots.

    Its sizes are Q queries, P pages, N spots and T truth regions.

    Attributes
    ----------
    name : str
        What the run is called.
    figures : RunFigures
        The figures of its whole lists.
    counts : (Q,) int
        How many spots each query keeps.
    """

    name: str
    figures: RunFigures
    counts: Ints

    __repr__ = short_repr

    @property
    def tally(self) -> Tally:
        """The run's tally."""
        return self.figures.tally

    @cached_property
    def kept(self) -> Flags:
        """(N,) whether each spot is kept."""
        tally = self.tally
        return np.asarray(tally.rank <= self.counts[tally.query])

    @cached_property
    def cells(self) -> Sums:
        """(Q, P) areas and counts of each query on each page, of what is kept."""
        return page_sums(self.figures, self.counts)

    @cached_property
    def symbols(self) -> SymbolStates:
        """What the kept spots have found of each truth region."""
        return find_symbols(self)


@dataclass(frozen=True, eq=False)
class SymbolStates:
    """What a run has found of each of T truth regions; make it with `find_symbols`.

    Attributes
    ----------
    covered : (T,) float
        The area of each region in px² that spots of its query cover.
    recognised : (T,) bool
        Whether enough of a region is covered (Rusiñol & Lladós (2009), §4.3).
    matched : (T,) bool
        Whether a spot is matched with a region (Lin et al. 2014).
    spot : (T,) int
        The spot that is matched with a region, else the one of its query that shares most area
        with it, by its place in the tally; -1 where no spot of its query touches it.
    iou : (T,) float
        Intersection over union of this spot and the region, in [0, 1]; 0 where there is none.
    """

    covered: Floats
    recognised: Flags
    matched: Flags
    spot: Ints
    iou: Floats

    __repr__ = short_repr


def find_symbols(run: CutRun) -> SymbolStates:
    """Find out what the kept spots of a run have found of each truth region.

    Parameters
    ----------
    run : CutRun
        The run and its cut.

    Returns
    -------
    SymbolStates
        Of T truth regions. A region without a label belongs to no query, and nothing finds it.

    Notes
    -----
    A cut changes neither at which rank a region is recognised nor what an earlier spot is matched
    with, so nothing is measured again: regions are recognised by Rusiñol & Lladós (2009), §4.3, and
    spots matched as by Lin et al. (2014).

    Examples
    --------
    A run without spots has found nothing of no region:

    >>> from spotlab.geometry.outlines import Outlines
    >>> from spotlab.measures.figures import compute_figures
    >>> from spotlab.model.run import Run
    >>> nothing = Run.ordered("nothing", [], [], Outlines.of([]))
    >>> figures = compute_figures(Tally.of(nothing, {}, [], queries=["bed"]))
    >>> find_symbols(CutRun("nothing", figures, np.array([0]))).recognised.tolist()
    []
    """
    tally, settings = run.tally, run.figures.settings
    regions = len(tally.region_area)
    own = np.flatnonzero(tally.own & run.kept[tally.pair_spot])
    covered = np.bincount(tally.pair_region[own], tally.pair_gained_area[own], regions)
    rank = run.figures.recognition_rank
    counts = np.append(run.counts, 0)[tally.region_query]  # -1, of no label, takes the 0
    recognised = (rank < NEVER) & (rank <= counts)
    iou_of_pair = iou_pairs(tally)
    matches = match_spots(tally, settings.iou)
    # the pair that is written last stays: that of the largest share, or of the match
    matched_pair = matches[tally.pair_spot[own]] == tally.pair_region[own]
    order = own[np.lexsort((tally.pair_shared[own], matched_pair))]
    spot, iou = np.full(regions, -1, np.int64), np.zeros(regions)
    spot[tally.pair_region[order]] = tally.pair_spot[order]
    iou[tally.pair_region[order]] = iou_of_pair[order]
    matched = np.zeros(regions, np.bool_)
    matched[tally.pair_region[own[matched_pair]]] = True
    return SymbolStates(covered.astype(np.float64), recognised, matched, spot, iou)
