"""Areas of spots on the truth of each label, page by page.

What is known from the tally is taken from there. Only what spots newly cover of other labels, and
places where regions overlap each other, is measured. Pages are kept as long as their tally is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from threading import Lock
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.geometry import coverage
from spotlab.geometry.polygon import Outlines
from spotlab.measures.confusion import LabelAreas, entries_of
from spotlab.measures.tally import PageTally, Tally
from spotlab.model.region import Primitive
from spotlab.model.run import Truth
from spotlab.progress import Progress, silent, track
from spotlab.studies.tally.outlines import measured_outlines
from spotlab.studies.tally.tallying import TOUCH, SomeSpots, tally_outside

Entries = tuple[
    Ints, NDArray[np.object_], Floats, Floats
]  # place in the run, label, shared, gained

Columns = tuple[Ints, Ints, Floats, Floats]  # of `LabelAreas`: it would keep its tally itself

_known: WeakKeyDictionary[PageTally, Entries] = WeakKeyDictionary()
_joined_columns: WeakKeyDictionary[Tally, Columns] = WeakKeyDictionary()
_one_at_a_time = Lock()  # two tables that ask at the same time measure each page once


def label_areas(
    tally: Tally,
    truths: Mapping[str, Truth],
    primitive: Primitive | None = None,
    progress: Progress = silent,
) -> LabelAreas:
    """Measure how much of each spot lies on the truth of each label.

    Parameters
    ----------
    tally : Tally
    truths : mapping of str to Truth
        Those that were tallied.
    primitive : Primitive, optional
        What outlines were turned into before.
    progress : Progress
        Told of each page.
    """
    found = []
    for page, part in track(list(tally.parts.items()), progress, "Measuring areas of labels"):
        with _one_at_a_time:
            entries = _known.get(part)
            if entries is None:
                spots = SomeSpots.of(tally.run, part.spot)
                entries = label_entries(spots, tally.run.queries, part, truths[page], primitive)
                _known[part] = entries
        found.append(entries)
    with _one_at_a_time:
        joined = _joined_columns.get(tally)
        if joined is None:
            areas = entries_of(tally, found)
            joined = areas.spot, areas.label, areas.shared, areas.gained
            _joined_columns[tally] = joined
    return LabelAreas(tally, *joined)


def label_entries(
    spots: SomeSpots,
    queries: Sequence[str],
    part: PageTally,
    truth: Truth,
    primitive: Primitive | None,
) -> Entries:
    """Measure how much of each spot of a page lies on the truth of each label.

    Parameters
    ----------
    spots : SomeSpots
        On the page.
    queries : sequence of str
        All of the run's.
    part : PageTally
        The page's.
    truth : Truth
        Which was tallied.
    primitive : Primitive or None
        What outlines were turned into before.

    Returns
    -------
    spot, label, shared, gained : (n,) array
        Places of spots in the run, labels, and areas in px².
    """
    if part.ignored is not None:
        outside = tally_outside(spots, queries, part, truth, primitive)
        return _LabelledPage(queries, spots.query, *outside).entries()
    size = truth.page.width, truth.page.height
    outlines, regions = (
        measured_outlines(outlines, primitive, size)
        for outlines in (spots.outlines, Outlines.of([region.array for region in truth.regions]))
    )
    return _LabelledPage(queries, spots.query, part, outlines, regions).entries()


def remember_entries(part: PageTally, entries: Entries) -> None:
    """Take what another process has measured.

    Parameters
    ----------
    part : PageTally
    entries : tuple
        As `label_entries` gives them.
    """
    _known[part] = entries


class _LabelledPage:
    """The spots and regions of a page, whose labels are numbered with those of small regions first.

    Numbers are the run's queries' and the regions' labels'; truth without a label comes last.
    """

    def __init__(
        self,
        queries: Sequence[str],
        query: Ints,
        part: PageTally,
        spots: Outlines,
        regions: Outlines,
    ) -> None:
        self.part = part
        self.outlines = spots
        self.regions = regions
        names = [*queries, *sorted({*part.region_label} - {*queries, ""}), ""]
        number = {name: at for at, name in enumerate(names)}
        self.names = np.array(names, np.object_)
        self.query = query
        self.label = np.array([number[name] for name in part.region_label], np.int64)
        count = len(part.region_area)
        self.ignored = np.zeros(count, np.bool_) if part.ignored is None else part.ignored.kind > 0
        spot, region = np.searchsorted(part.spot, part.pair_spot), part.pair_region
        concerned = (self.label[region] == self.query[spot]) | (
            self.label[region] == len(names) - 1
        )
        used = ~self.ignored[region] | concerned
        self.spot, self.region, self.pair_area = spot[used], region[used], part.pair_shared[used]
        self.order = _label_order(self.label, part.region_area, len(names))
        self.cluster = _clusters(regions, part.region_area)
        self.entangled = np.bincount(self.cluster, minlength=1)[self.cluster] > 1

    def entries(self) -> Entries:
        """All labels that the spots lie on."""
        labels = len(self.names)
        shared, gained = self._shared(), self._gained()
        cells = np.unique(np.concatenate([shared[0], gained[0]]))
        areas = [np.zeros(len(cells)), np.zeros(len(cells))]
        for (cell, area), into in zip((shared, gained), areas, strict=True):
            np.add.at(into, np.searchsorted(cells, cell), area)
        spot, label = np.divmod(cells, labels)
        own_label = label == self.query[spot]
        areas[1] = np.where(own_label, self.part.gained_true_area[spot], areas[1])
        return self.part.spot[spot], self.names[label], areas[0], areas[1]

    def _shared(self) -> tuple[Ints, Floats]:
        """Area that each spot shares with the labels: cells of spot and label, and areas in px²."""
        labels = len(self.names)
        tangled = self.entangled[self.region]
        several = np.bincount(self.spot[tangled], minlength=len(self.part.spot)) > 1
        apart = ~(tangled & several[self.spot]) & ~self.ignored[self.region]
        cell = self.spot * labels + self.label[self.region]
        found = [(cell[apart], self.pair_area[apart])]
        at = np.flatnonzero(tangled & several[self.spot])
        if len(at):
            spots = np.unique(self.spot[at])
            found.append(self._chain(spots, spots, self.spot[at], self.region[at]))
        return _joined(found)

    def _gained(self) -> tuple[Ints, Floats]:
        """The same of what each spot newly covers, without its own label."""
        labels = len(self.names)
        other = self.label[self.region] != self.query[self.spot]
        tangled = self.entangled[self.region]
        found = []
        lone = np.flatnonzero(other & ~tangled & ~self.ignored[self.region])
        if len(lone):
            # each query and region by itself: few spots meet there
            spots, regions = self.spot[lone], self.region[lone]
            key = self.query[spots] * len(self.part.region_area) + regions
            _, first, group = np.unique(key, return_index=True, return_inverse=True)
            new = coverage.new_coverage(
                self.outlines.take(spots), group,
                self.regions.take(regions[first]), np.arange(len(first)),
            )  # fmt: skip
            found.append((spots * labels + self.label[regions], new.new_relevant))
        at = np.flatnonzero(tangled)
        clusters = self.cluster.max(initial=0) + 1
        of_pair = self.query[self.spot] * clusters + self.cluster[self.region]
        at = at[np.isin(of_pair[at], of_pair[at[other[at]]])]
        if len(at):
            count = len(self.query)
            group, spots = np.divmod(np.unique(of_pair[at] * count + self.spot[at]), count)
            cell, area = self._chain(spots, group, of_pair[at], self.region[at])
            apart = cell % labels != self.query[cell // labels]
            found.append((cell[apart], area[apart]))
        return _joined(found)

    def _chain(
        self, spots: Ints, group: Ints, pair_group: Ints, pair_region: Ints
    ) -> tuple[Ints, Floats]:
        """Area that spots newly cover in their group of labels whose regions overlap.

        The union of the ignored regions, then with the own label's, then with those of one label
        after the other: what each union has more than the one before is that label's.
        """
        groups, regions = self._copies(pair_group, pair_region)
        of_group = np.zeros(int(group.max()) + 1, np.int64)
        of_group[group] = self.query[spots]
        own = self.label[regions] == of_group[groups]
        step = np.where(own, 1, 2 + self.order[self.label[regions]])
        step[self.ignored[regions]] = 0
        outlines, before = self.outlines.take(spots), np.zeros(len(spots))
        found = []
        for number in np.unique(step).tolist():
            used = np.flatnonzero(step <= number)
            new = coverage.new_coverage(
                outlines, group, self.regions.take(regions[used]), groups[used]
            )
            more = np.maximum(new.new_relevant - before, 0.0)
            before = new.new_relevant
            if number == 0:
                continue
            label = self.query[spots]
            if number > 1:
                label = np.full(len(spots), int(np.flatnonzero(self.order == number - 2)[0]))
            here = more > TOUCH * self.part.area[spots]
            found.append(((spots * len(self.names) + label)[here], more[here]))
        return _joined(found)

    def _copies(self, group: Ints, region: Ints) -> tuple[Ints, Ints]:
        """Each region once for each group that it is to be looked at in: groups and regions."""
        count = len(self.part.region_area)
        return np.divmod(np.unique(group * count + region), count)


def _label_order(label: Ints, area: Floats, labels: int) -> Ints:
    """(L,) the place of each label by the mean area of its regions; truth without one is last."""
    counts = np.bincount(label, minlength=labels)
    mean = np.bincount(label, area, labels) / np.maximum(counts, 1)
    mean[counts == 0] = np.inf
    by_size = np.lexsort((mean, np.arange(labels) == labels - 1))
    order = np.empty(labels, np.int64)
    order[by_size] = np.arange(labels)
    return order


def _clusters(regions: Outlines, area: Floats) -> Ints:
    """(T,) the cluster of each region: those that overlap, one by one, are of the same."""
    pairs = coverage.overlapping_bounds(regions, regions)
    pairs = pairs[pairs[:, 0] < pairs[:, 1]]
    shared = coverage.shared_areas(regions, regions, pairs)
    pairs = pairs[shared > TOUCH * np.minimum(area[pairs[:, 0]], area[pairs[:, 1]])]
    one, other = pairs.T
    least, before = (np.arange(len(area)), None)  # joined region
    while before is None or (least != before).any():
        before = least.copy()
        np.minimum.at(least, one, before[other])
        np.minimum.at(least, other, before[one])
        least = least[least]
    return np.unique(least, return_inverse=True)[1].astype(np.int64)


def _joined(found: list[tuple[Ints, Floats]]) -> tuple[Ints, Floats]:
    cells = [np.empty(0, np.int64), *(cell for cell, _ in found)]
    return np.concatenate(cells), np.concatenate([np.empty(0), *(area for _, area in found)])
