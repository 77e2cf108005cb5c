"""Tallies a page again after an edit of its truth: only what depends on regions that differ.

What spots cover does not depend on the truth, nor do the pairs of a spot with a region that is as
before. What is truth of a query depends on this query's regions only.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np

from spotlab.geometry import coverage
from spotlab.geometry.clip import clip_to_page
from spotlab.geometry.coverage import Engine
from spotlab.geometry.outlines import Outlines
from spotlab.measures.edited_truth import PageEdit
from spotlab.measures.page_tally import PageTally
from spotlab.measures.tally import Floats, Ints
from spotlab.model.region import Primitive, Region
from spotlab.model.run import Run
from spotlab.model.truth import Truth
from spotlab.studies.areas.pair_gains import pair_gains
from spotlab.studies.areas.primitive_outlines import outlines_as
from spotlab.studies.areas.tallying import TOUCH


class TruthEdit:
    """What an edit of a page's truth changes, whatever run is evaluated: found once for all runs.

    Parameters
    ----------
    before, after : Truth
        The page's.
    primitive : Primitive, optional
        See `tally_page`.

    Attributes
    ----------
    new : (n,) int
        Places of the regions after the edit that were not there before, or not alike.
    labels : frozenset of str
        Of regions that are new, gone or changed.
    """

    def __init__(self, before: Truth, after: Truth, primitive: Primitive | None = None) -> None:
        self.before, self.after, self.primitive = before.regions, after.regions, primitive
        self.size = after.page.width, after.page.height
        earlier = {region.id: region for region in before.regions}
        same = [_is_same(earlier.get(region.id), region) for region in after.regions]
        self.place = {region.id: at for at, region in enumerate(after.regions)}
        self.new = np.flatnonzero(~np.array(same, np.bool_))
        stay = {region.id for region, alike in zip(after.regions, same, strict=True) if alike}
        self.stays = np.array([region.id in stay for region in before.regions], np.bool_)
        self.labels = frozenset(
            [region.label for region in before.regions if region.id not in stay]
            + [after.regions[at].label for at in self.new.tolist()]
        )
        self.ids = tuple(region.id for region in before.regions)
        self.is_partial = (
            not any(region.ignored for region in after.regions)
            and (before.page.width, before.page.height) == self.size
        )
        self._areas: dict[Engine, tuple[Floats, dict[str, float]]] = {}

    @cached_property
    def outlines(self) -> Outlines:
        """The regions that are new, as they are compared."""
        return self.regions(self.new)

    @cached_property
    def of_labels(self) -> tuple[tuple[str, ...], Outlines, Ints]:
        """The labels of all regions with one of ``labels``, these regions, and their places."""
        places = [at for at, region in enumerate(self.after) if region.label in self.labels]
        labels = tuple(self.after[at].label for at in places)
        return labels, self.regions(places), np.array(places, np.int64)

    def areas(self, engine: Engine) -> tuple[Floats, dict[str, float]]:
        """The areas of the new regions, and of the union of each label's regions."""
        if engine not in self._areas:
            labels, outlines, _ = self.of_labels
            united = {}
            for label in sorted(set(labels) - {""}):
                own = outlines.take([at for at, name in enumerate(labels) if name == label])
                group = np.zeros(len(own), np.int64)
                united[label] = float(coverage.union_areas(own, group, 1, engine)[0])
            self._areas[engine] = coverage.areas(self.outlines, engine), united
        return self._areas[engine]

    def regions(self, places: Ints | list[int]) -> Outlines:
        """Some regions after the edit, as they are compared."""
        return self.compared(Outlines.of([self.after[at].array for at in places]))

    def compared(self, outlines: Outlines) -> Outlines:
        """Outlines as they are compared: as primitives, on the page."""
        return clip_to_page(outlines_as(outlines, self.primitive, self.size), self.size)


def tally_edit(
    run: Run,
    part: PageTally,
    before: Truth,
    after: Truth,
    primitive: Primitive | None = None,
    edit: TruthEdit | None = None,
) -> PageEdit | None:
    """Tally a page whose truth was edited.

    Parameters
    ----------
    run : Run
    part : PageTally
        Of the page with the truth ``before``.
    before, after : Truth
        The page's.
    primitive : Primitive, optional
        See `tally_page`.
    edit : TruthEdit, optional
        Of ``before`` and ``after``, where several runs are tallied again.

    Returns
    -------
    PageEdit or None
        The tally as `tally_page` gives it. None where the whole page has to be tallied: a region
        is ignored, the page has another size, or ``part`` is of another truth.
    """
    edit = edit or TruthEdit(before, after, primitive)
    if part.ignored is not None or part.region_id != edit.ids or not edit.is_partial:
        return None
    return _Edit(run, part, edit).tallied()


class _Edit:
    """The spots of a page that an edit concerns."""

    def __init__(self, run: Run, part: PageTally, edit: TruthEdit) -> None:
        self.run, self.part, self.edit = run, part, edit
        self.engine = coverage.choose_engine(len(part.spot))

    def tallied(self) -> PageEdit:
        part, edit = self.part, self.edit
        spots = edit.compared(self.run.outlines.take(part.spot))
        new_areas, united = edit.areas(self.engine)
        areas = dict(zip(part.region_id, part.region_area.tolist(), strict=True))
        region_area = np.array([areas.get(id, 0.0) for id in edit.place], np.float64)
        region_area[edit.new] = new_areas
        pairs, shared = self._new_pairs(spots, region_area)
        gained_true, gained = self._gained(spots, pairs)
        moved = np.array([edit.place.get(id, -1) for id in part.region_id], np.int64)
        kept = edit.stays[part.pair_region]
        pair_spot = np.concatenate([part.pair_spot[kept], part.spot[pairs[:, 0]]])
        pair_region = np.concatenate([moved[part.pair_region[kept]], pairs[:, 1]])
        order = np.lexsort((pair_region, pair_spot))
        others = {name: area for name, area in part.truth_area.items() if name not in edit.labels}
        edited = replace(
            part,
            gained_true_area=gained_true,
            region_id=tuple(edit.place),
            region_label=tuple(region.label for region in edit.after),
            region_area=region_area,
            truth_area=dict(sorted((others | united).items())),
            pair_spot=pair_spot[order],
            pair_region=pair_region[order],
            pair_shared=np.concatenate([part.pair_shared[kept], shared])[order],
            pair_gained_area=np.concatenate([part.pair_gained_area[kept], gained])[order],
        )
        return PageEdit(edited, edit.labels)

    def _new_pairs(self, spots: Outlines, region_area: Floats) -> tuple[Ints, Floats]:
        """Spots on the page and regions that differ, and the area that they share."""
        regions = self.edit.outlines
        near = np.flatnonzero(_meet(spots.bounds, regions.bounds))
        nearby = spots.take(near)
        pairs = coverage.overlapping_bounds(nearby, regions)
        shared = coverage.shared_areas(nearby, regions, pairs, self.engine)
        pairs = np.stack([near[pairs[:, 0]], self.edit.new[pairs[:, 1]]], axis=1)
        smaller = np.minimum(self.part.area[pairs[:, 0]], region_area[pairs[:, 1]])
        kept = shared > TOUCH * smaller
        return pairs[kept], shared[kept]

    def _gained(self, spots: Outlines, pairs: Ints) -> tuple[Floats, Floats]:
        """What of the page's spots is newly covered truth, and the same of each of these pairs."""
        run, gained_true = self.run, self.part.gained_true_area
        number = {name: at for at, name in enumerate(run.queries) if name in self.edit.labels}
        query = run.query[self.part.spot].astype(np.int64)
        own = np.flatnonzero(np.isin(query, list(number.values())))
        if not len(own):
            return gained_true, np.zeros(len(pairs))
        labels, regions, places = self.edit.of_labels
        searched = [at for at, label in enumerate(labels) if label in number]
        if len(searched) < len(labels):
            regions, places = regions.take(searched), places[searched]
        new = coverage.new_coverage(
            spots.take(own),
            query[own],
            regions,
            [number[labels[at]] for at in searched],
            self.engine,
        )
        gained_true = gained_true.copy()
        gained_true[own] = new.new_relevant
        found = replace(new, pair_spot=own[new.pair_spot], pair_region=places[new.pair_region])
        return gained_true, pair_gains(pairs, found, len(self.edit.after))


def _is_same(before: Region | None, after: Region) -> bool:
    """Whether nothing of a region differs that a tally depends on."""
    return before is after or (
        before is not None
        and (before.label, before.ignored) == (after.label, after.ignored)
        and before.points == after.points
    )


def _meet(some: Floats, others: Floats) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """(N,) which boxes share area with one of the others at least."""
    meet = np.zeros(len(some), np.bool_)
    for left, top, right, bottom in others.tolist():
        meet |= (
            (some[:, 0] < right) & (some[:, 2] > left) & (some[:, 1] < bottom) & (some[:, 3] > top)
        )
    return meet
