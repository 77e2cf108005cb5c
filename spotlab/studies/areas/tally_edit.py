"""Tallies a page again after an edit of its truth: only what depends on regions that differ.

What spots cover does not depend on the truth, nor do the pairs of a spot with a region that is as
before. What is truth of a query depends on this query's regions only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from spotlab.arrays import Floats, Ints
from spotlab.geometry import coverage
from spotlab.geometry.coverage import Engine
from spotlab.geometry.outlines import Outlines, clip_to_page
from spotlab.measures.edited_truth import PageEdit
from spotlab.measures.page_tally import PageTally
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
    region_id, region_label : tuple of str
        Of all regions after the edit.
    stays, moved : (m,) bool and int
        Whether each of the regions before the edit is still there and alike, and the place of the
        one with its id after the edit; -1 for none.
    """

    def __init__(self, before: Truth, after: Truth, primitive: Primitive | None = None) -> None:
        self.before, self.after, self.primitive = before.regions, after.regions, primitive
        self.size = after.page.width, after.page.height
        earlier = {region.id: region for region in before.regions}
        same = [_is_same(earlier.get(region.id), region) for region in after.regions]
        self.region_id = tuple(region.id for region in after.regions)
        self.region_label = tuple(region.label for region in after.regions)
        self.new = np.flatnonzero(~np.array(same, np.bool_))
        stay = {region.id for region, alike in zip(after.regions, same, strict=True) if alike}
        self.stays = np.array([region.id in stay for region in before.regions], np.bool_)
        self.labels = frozenset(
            [region.label for region in before.regions if region.id not in stay]
            + [after.regions[at].label for at in self.new.tolist()]
        )
        self._ids = tuple(region.id for region in before.regions)
        place = {id: at for at, id in enumerate(self.region_id)}
        self.moved = np.array([place.get(id, -1) for id in self._ids], np.int64)
        self._is_partial = (
            not any(region.ignored for region in after.regions)
            and (before.page.width, before.page.height) == self.size
        )
        self._areas: dict[Engine, tuple[Floats, dict[str, float]]] = {}

    def fits(self, part: PageTally) -> bool:
        """Whether a tally of the page before the edit can be brought up to date."""
        return part.ignored is None and part.region_id == self._ids and self._is_partial

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


def tally_edits(
    runs: Sequence[Run], parts: Sequence[PageTally], edit: TruthEdit
) -> list[PageEdit | None]:
    """Tally a page whose truth was edited, in several runs at once.

    Parameters
    ----------
    runs : sequence of Run
    parts : sequence of PageTally
        Of the page in each of them, with the truth before the edit.
    edit : TruthEdit

    Returns
    -------
    list of PageEdit or None
        For each run the tally as `tally_page` gives it. None where the whole page has to be
        tallied: a region is ignored, the page has another size, or the part is of another truth.
    """
    edits: list[PageEdit | None] = [None] * len(runs)
    known = [at for at, part in enumerate(parts) if edit.fits(part)]
    if known:
        page = _EditedPage([runs[at] for at in known], [parts[at] for at in known], edit)
        for at, found in zip(known, page.edits(), strict=True):
            edits[at] = found
    return edits


class _EditedPage:
    """The page that was edited, with the N spots on it of R runs one after the other."""

    def __init__(self, runs: Sequence[Run], parts: Sequence[PageTally], edit: TruthEdit) -> None:
        self.runs, self.parts, self.edit = runs, parts, edit
        counts = [len(part.spot) for part in parts]
        self.starts = np.concatenate([[0], np.cumsum(counts)])
        self.owner = np.repeat(np.arange(len(parts)), counts)
        self.engine = coverage.choose_engine(len(self.owner))
        taken = [run.outlines.take(part.spot) for run, part in zip(runs, parts, strict=True)]
        self.spots = edit.compared(Outlines.joined(taken))

    def edits(self) -> list[PageEdit]:
        """The tally of the page in each run."""
        edit, parts = self.edit, self.parts
        new_areas, united = edit.areas(self.engine)
        region_area = np.zeros((len(parts), len(edit.region_id)))
        moved = edit.moved[edit.stays]
        for areas, part in zip(region_area, parts, strict=True):
            areas[moved] = part.region_area[edit.stays]
        region_area[:, edit.new] = new_areas
        pairs, shared = self._new_pairs(new_areas)
        gained_true, gained = self._gained(pairs)
        pair_starts, columns = self._all_pairs(pairs, shared, gained)
        edits = []
        for run, part in enumerate(parts):
            begin, end = self.starts[run : run + 2].tolist()
            own = slice(*pair_starts[run : run + 2].tolist())
            others = {
                name: area for name, area in part.truth_area.items() if name not in edit.labels
            }
            edited = replace(
                part,
                gained_true_area=gained_true[begin:end],
                region_id=edit.region_id,
                region_label=edit.region_label,
                region_area=region_area[run],
                truth_area=dict(sorted((others | united).items())),
                **{name: column[own] for name, column in columns.items()},
            )
            edits.append(PageEdit(edited, edit.labels))
        return edits

    def _new_pairs(self, new_areas: Floats) -> tuple[Ints, Floats]:
        """Spots on the page and regions that differ, and the area that they share."""
        edit = self.edit
        near = np.flatnonzero(_meet(self.spots.bounds, edit.outlines.bounds))
        nearby = self.spots.take(near)
        pairs = coverage.overlapping_bounds(nearby, edit.outlines)
        shared = coverage.shared_areas(nearby, edit.outlines, pairs, self.engine)
        spot, region = near[pairs[:, 0]], pairs[:, 1]
        area = np.concatenate([part.area for part in self.parts])
        kept = shared > TOUCH * np.minimum(area[spot], new_areas[region])
        return np.stack([spot, edit.new[region]], axis=1)[kept], shared[kept]

    def _gained(self, pairs: Ints) -> tuple[Floats, Floats]:
        """(N,) what of spots is newly covered truth, and the same of each of these pairs."""
        edit = self.edit
        gained_true = np.concatenate([part.gained_true_area for part in self.parts])
        names = sorted(edit.labels)
        label = np.concatenate([
            _places_of(run.queries, names)[run.query[part.spot]]
            for run, part in zip(self.runs, self.parts, strict=True)
        ])  # fmt: skip
        own = np.flatnonzero(label >= 0)
        if not len(own):
            return gained_true, np.zeros(len(pairs))
        # the regions of a label are compared with the spots of each run that searches it
        list_of_spot = self.owner[own] * len(names) + label[own]
        lists = np.unique(list_of_spot)
        labels, regions, places = edit.of_labels
        of_region = np.array([names.index(name) for name in labels], np.int64)
        which, region = np.nonzero(lists[:, None] % len(names) == of_region)
        new = coverage.new_coverage(
            self.spots.take(own), list_of_spot, regions.take(region), lists[which], self.engine
        )
        gained_true[own] = new.new_relevant
        place = places[region[new.pair_region]]
        found = replace(new, pair_spot=own[new.pair_spot], pair_region=place)
        return gained_true, pair_gains(pairs, found, len(edit.region_id))

    def _all_pairs(
        self, pairs: Ints, shared: Floats, gained: Floats
    ) -> tuple[Ints, dict[str, Any]]:
        """Where the pairs of each run begin and end, and their columns: those that stay, and these.

        They are sorted by run, spot and region.
        """
        edit, parts = self.edit, self.parts
        before = np.concatenate([part.pair_region for part in parts])
        kept = edit.stays[before]
        spot = np.concatenate([part.spot for part in parts])

        def both(name: str, new: Ints | Floats) -> Ints | Floats:
            old = np.concatenate([getattr(part, name) for part in parts])
            return np.concatenate([old[kept], new])

        run = np.repeat(np.arange(len(parts)), [len(part.pair_spot) for part in parts])[kept]
        owner = np.concatenate([run, self.owner[pairs[:, 0]]])
        columns = {
            "pair_spot": both("pair_spot", spot[pairs[:, 0]]),
            "pair_region": np.concatenate([edit.moved[before[kept]], pairs[:, 1]]),
            "pair_shared": both("pair_shared", shared),
            "pair_gained_area": both("pair_gained_area", gained),
        }
        order = np.lexsort((columns["pair_region"], columns["pair_spot"], owner))
        starts = np.searchsorted(owner[order], np.arange(len(parts) + 1))
        return starts, {name: column[order] for name, column in columns.items()}


def _places_of(queries: Sequence[str], names: Sequence[str]) -> Ints:
    """(Q,) the place among these names of each query; -1 for others."""
    place = {name: at for at, name in enumerate(names)}
    return np.array([place.get(query, -1) for query in queries], np.int64)


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
