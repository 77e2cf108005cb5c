"""Tally, figures and errors of a run after the truth of one page was edited.

Most of a run does not depend on the edit: what spots cover, and the figures of queries whose truth
is as before. Only the rest is computed; the result is that of computing everything.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakKeyDictionary, ref

import numpy as np

from spotlab.arrays import Ints
from spotlab.geometry.outlines import concatenate_ranges
from spotlab.measures.errors import Errors, classify_errors
from spotlab.measures.figure_columns import names_of_sums
from spotlab.measures.figures import RunFigures
from spotlab.measures.figures_of_each import figures_of_each
from spotlab.measures.page_tally import PageTally
from spotlab.measures.ranked_lists import RankedLists
from spotlab.measures.recognition import NEVER
from spotlab.measures.tally import Tally
from spotlab.measures.tally_of_spots import tally_of_spots
from spotlab.representation import short_repr


@dataclass(frozen=True, eq=False)
class PageEdit:
    """A page whose truth was edited.

    Attributes
    ----------
    part : PageTally
        Of the page as it is now, of the same spots as before. No region of it is ignored.
    labels : frozenset of str
        Labels of the regions that are new, gone or changed, before or after the edit.
    """

    part: PageTally
    labels: frozenset[str]

    __repr__ = short_repr

    def fits(self, tally: Tally) -> bool:
        """Tell whether `edited_tally` takes a tally: it knows the page and these labels.

        Parameters
        ----------
        tally : Tally
            Of the run before the edit.

        Returns
        -------
        bool

        Examples
        --------
        >>> from spotlab.geometry.outlines import Outlines
        >>> from spotlab.model.run import Run
        >>> nothing = Tally.of(Run.ordered("nothing", [], [], Outlines.of([])), {}, [])
        >>> none, places = np.zeros(0), np.zeros(0, int)
        >>> part = PageTally(
        ...     "plan", places, none, none, none, (), (), none, {}, places, places, none, none)
        >>> PageEdit(part, frozenset()).fits(nothing)  # which does not know the page
        False
        """
        known = tally.parts.get(self.part.page)
        return bool(
            known is not None
            and tally.ignored is None
            and self.part.ignored is None
            and known.spot is self.part.spot
            and self.labels - {""} <= set(tally.queries)
        )


def edited_tally(before: Tally, edit: PageEdit) -> Tally:
    """The tally of a run after an edit, as `Tally.with_page` gives it.

    Parameters
    ----------
    before : Tally
        That `PageEdit.fits`.
    edit : PageEdit
        The page.

    Returns
    -------
    Tally
        It shares what does not depend on the truth with ``before``.
    """
    part, page = edit.part, before.pages.index(edit.part.page)
    places = np.searchsorted(before.spot, part.spot)
    first, end = np.searchsorted(before.region_page, (page, page + 1)).tolist()
    number = {name: index for index, name in enumerate(before.queries)} | {"": -1}
    gained_true = _with(before.gained_true_area, places, part.gained_true_area)
    truth_area = before.truth_area.copy()
    truth_area[:, page] = 0.0
    for label, area in part.truth_area.items():
        truth_area[number[label], page] = area

    def regions(old: Any, new: Any) -> Any:
        return np.concatenate([old[:first], new, old[end:]])

    after = replace(
        before,
        gained_true_area=gained_true,
        region_query=regions(
            before.region_query, np.array([number[each] for each in part.region_label], np.int64)
        ),
        region_page=regions(before.region_page, np.full(len(part.region_id), page)),
        region_area=regions(before.region_area, part.region_area),
        region_id=(*before.region_id[:first], *part.region_id, *before.region_id[end:]),
        truth_area=truth_area,
        parts={**before.parts, part.page: part},
        **_pairs(before, part, places, first, end),
    )
    for name in ("rank", "is_counted"):  # cached properties, of spots only
        if name in vars(before):
            vars(after)[name] = vars(before)[name]
    return after


def edited_figures(
    before: Sequence[RunFigures], tallies: Sequence[Tally], edits: Sequence[PageEdit]
) -> list[RunFigures]:
    """The figures of several runs after an edit; those of other queries are taken over.

    Parameters
    ----------
    before : sequence of RunFigures
        Of the tallies before the edit, with the same settings.
    tallies : sequence of Tally
        That `edited_tally` gave.
    edits : sequence of PageEdit
        The page, for each of them.

    Returns
    -------
    list of RunFigures
        As `compute_figures` gives them.
    """
    changed, concerned = [], []
    for tally, edit in zip(tallies, edits, strict=True):
        queries = [at for at, name in enumerate(tally.queries) if name in edit.labels]
        own = np.array(queries, np.int64)
        starts, ends = tally.starts[own], tally.starts[own + 1]
        places = concatenate_ranges(starts, ends - starts)
        changed.append((own, places))
        concerned.append(tally_of_spots(tally, places))
    new = figures_of_each(concerned, before[0].settings) if before else []
    return [
        _edited(earlier, tally, edit.part, *where, after)
        for earlier, tally, edit, where, after in zip(
            before, tallies, edits, changed, new, strict=True
        )
    ]


def _edited(
    before: RunFigures, tally: Tally, part: PageTally, queries: Ints, places: Ints, new: RunFigures
) -> RunFigures:
    """The figures before an edit, with new ones of some queries and their spots."""

    def spots(old: Any, values: Any) -> Any:
        return _with(old, places, values)

    ranks = _of_regions(before.tally, tally, part.page, before.recognition_rank, NEVER)
    affected = np.zeros(len(tally.queries) + 1, np.bool_)
    affected[queries] = affected[-1] = True  # regions without a label are of query -1
    figures = RunFigures(
        tally=tally,
        settings=before.settings,
        truth=new.truth,
        retrieved=before.retrieved,
        relevant=spots(before.relevant, new.relevant),
        precision=spots(before.precision, new.precision),
        recall=spots(before.recall, new.recall),
        fall_out=spots(before.fall_out, new.fall_out),
        f=spots(before.f, new.f),
        recognition_rank=np.where(affected[tally.region_query], new.recognition_rank, ranks),
        first_true_positive_rank=spots(
            before.first_true_positive_rank, new.first_true_positive_rank
        ),
        recognised=spots(before.recognised, new.recognised),
        false_positives=spots(before.false_positives, new.false_positives),
    )
    iou = before.settings.iou
    lists = RankedLists(tally, before.settings, figures.precision, figures.recall)
    lists.take_over(iou, spots(before.lists.right, new.lists.right), before.lists.ignored)
    errors = _edited_errors(before.lists, tally, part) if before.lists.knows_errors else None
    if errors is not None:
        vars(lists)["errors"] = errors  # the cached properties are known already
    vars(figures)["lists"] = lists
    vars(figures)["correct"] = spots(before.correct, new.correct)
    vars(figures)["judged"] = before.judged
    figures.columns.take_over(before.columns, new.columns, queries, names_of_sums())
    figures.curves.take_over(before.curves, queries)
    _EARLIER[figures] = ref(before), queries
    return figures


def edited_from(figures: RunFigures) -> tuple[RunFigures, Ints] | None:
    """Say what figures were before an edit, and of which queries they have changed.

    Parameters
    ----------
    figures : RunFigures
        Of a run.

    Returns
    -------
    before : RunFigures
        Those before the last edit.
    queries : (n,) int
        Places of the queries that are not as before.

    Notes
    -----
    None is returned unless `edited_figures` gave them, and where nobody holds the earlier ones.

    Examples
    --------
    >>> from spotlab.geometry.outlines import Outlines
    >>> from spotlab.model.run import Run
    >>> nothing = Tally.of(Run.ordered("nothing", [], [], Outlines.of([])), {}, [])
    >>> from spotlab.measures.figures import compute_figures
    >>> edited_from(compute_figures(nothing)) is None
    True
    """
    earlier, queries = _EARLIER.get(figures, (None, None))
    before = None if earlier is None else earlier()
    return None if before is None or queries is None else (before, queries)


_EARLIER: WeakKeyDictionary[RunFigures, tuple[ref[RunFigures], Ints]] = WeakKeyDictionary()


def _edited_errors(before: RankedLists, tally: Tally, part: PageTally) -> Errors:
    """The errors of a run after an edit; only spots on the page are judged again."""
    old, page = before.errors, tally.pages.index(part.page)
    first, end = np.searchsorted(before.tally.region_page, (page, page + 1)).tolist()
    places = np.searchsorted(tally.spot, part.spot)
    on_page = classify_errors(tally_of_spots(tally, places), before.settings.iou)
    shift = len(part.region_id) - (end - first)
    later = np.where(old.region >= end, old.region + shift, old.region) if shift else old.region
    kind, iou = _with(old.kind, places, on_page.kind), _with(old.iou, places, on_page.iou)
    region = _with(later, places, on_page.region)
    here = slice(first, end + shift)
    missed = np.concatenate([old.missed[:first], on_page.missed[here], old.missed[end:]])
    return Errors(tally, kind, region, iou, missed, old.kept)


def _pairs(before: Tally, part: PageTally, places: Ints, first: int, end: int) -> dict[str, Any]:
    """The columns of pairs, with those of the page in the place of its earlier ones."""
    begins = np.searchsorted(before.pair_spot, places)  # a spot is on one page only
    counts = np.searchsorted(before.pair_spot, places, side="right") - begins
    of_spot = np.searchsorted(part.spot, part.pair_spot)
    new_counts = np.bincount(of_spot, minlength=len(places))
    more = new_counts - counts
    at = concatenate_ranges(begins + np.cumsum(more) - more, new_counts)
    changed = np.flatnonzero(more)  # few: the other pairs stay where they are, or move together

    def joined(old: Any, new: Any) -> Any:
        if not len(changed):
            return _with(old, at, new)
        pieces, done = [], 0
        for spot in changed.tolist():
            pieces += [old[done : begins[spot]], np.empty(new_counts[spot], old.dtype)]
            done = begins[spot] + counts[spot]
        column = np.concatenate([*pieces, old[done:]])
        column[at] = new
        return column

    shift, region = len(part.region_id) - (end - first), before.pair_region
    return {
        "pair_spot": joined(before.pair_spot, places[of_spot]),
        "pair_region": joined(
            np.where(region >= end, region + shift, region) if shift else region,
            first + part.pair_region,
        ),
        "pair_shared": joined(before.pair_shared, part.pair_shared),
        "pair_gained_area": joined(before.pair_gained_area, part.pair_gained_area),
    }


def _with(old: Any, places: Ints, values: Any) -> Any:
    """The column with these values at these places; itself where it has them already."""
    if old[places].tobytes() == values.tobytes():
        return old
    column = old.copy()
    column[places] = values
    return column


def _of_regions(before: Tally, after: Tally, page: str, values: Ints, unknown: int) -> Ints:
    """(T,) the values of regions that were there before the edit of a page."""
    at = before.pages.index(page)
    first, end = np.searchsorted(before.region_page, (at, at + 1)).tolist()
    known = dict(zip(before.region_id[first:end], values[first:end].tolist(), strict=True))
    ids: Collection[str] = after.parts[page].region_id
    here = np.array([known.get(id, unknown) for id in ids], np.int64)
    return np.concatenate([values[:first], here, values[end:]])
