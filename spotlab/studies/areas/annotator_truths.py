"""What several annotators have drawn of the same pages: all of it, and what they agree on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.errors import BadInput
from spotlab.formats.rows.numbers import natural
from spotlab.geometry import coverage
from spotlab.geometry.outlines import Outlines
from spotlab.geometry.polygon import even_odd_geometry
from spotlab.geometry.rings import ring_from_geometry
from spotlab.libraries import shapely
from spotlab.model import Page, Region, Truth
from spotlab.progress import Progress, silent, track
from spotlab.representation import short_repr
from spotlab.studies.areas.truth_files import TruthSet

Truths = Mapping[str, Truth]


@dataclass(frozen=True, eq=False)
class AnnotatedPages:
    """The pages of several annotators; make one with `put_side_by_side`.

    Attributes
    ----------
    names : tuple of str
        The annotators'.
    pages : tuple of str
        All that some annotator has seen, in natural order.
    seen : (A, P) bool
        Which annotator has seen which page: there is a truth of it, with regions or without.
    truths : tuple of mapping of str to Truth
        Each annotator's of all pages; without regions where the annotator has not seen it.
    every, any : mapping of str to Truth
        By page: the parts that all annotators who saw the page have marked alike, and all regions.
    """

    names: tuple[str, ...]
    pages: tuple[str, ...]
    seen: NDArray[np.bool_]
    truths: tuple[Truths, ...]
    every: Truths
    any: Truths

    __repr__ = short_repr

    def only(self, annotators: Sequence[int], pages: Iterable[int]) -> AnnotatedPages:
        """Some annotators and some of those pages that one of them has seen."""
        chosen = [self.truths[number] for number in annotators]
        seen = self.seen[list(annotators)]
        kept = [page for page in pages if seen[:, page].any()]
        names = [self.pages[page] for page in kept]
        return _of(
            tuple(self.names[number] for number in annotators),
            seen[:, kept],
            [{name: truths[name] for name in names} for truths in chosen],
            names,
            silent,
        )


def put_side_by_side(
    annotators: Mapping[str, TruthSet], progress: Progress = silent
) -> AnnotatedPages:
    """Several annotators' truths, page by page.

    Parameters
    ----------
    annotators : mapping of str to TruthSet
        By the annotator's name. Pages are the same where their names are.

    Raises
    ------
    BadInput
        Two annotators have a page in different sizes.
    """
    sets = list(annotators.values())
    pages: dict[str, Page] = {}
    for name, truth_set in annotators.items():
        for page, truth in truth_set.truths.items():
            known = pages.setdefault(page, truth.page)
            size, other = (f"{each.width} × {each.height} px" for each in (truth.page, known))
            if size != other:
                problem = f"page {page} has {size}, but {other} for another annotator"
                raise BadInput(name, problem, expected="outlines in pixels of the same image")
    names = sorted(pages, key=natural)
    seen = np.array([[name in each.truths for name in names] for each in sets], np.bool_)
    truths = [{name: each.truths.get(name, Truth(pages[name])) for name in names} for each in sets]
    return _of(tuple(annotators), seen.reshape(len(sets), len(names)), truths, names, progress)


def put_together(sets: Iterable[TruthSet]) -> TruthSet:
    """The pages of several annotators, as the first who saw each has drawn it.

    What runs say of pages and of ids is looked up there; an id that two of them give to different
    things is left out.
    """
    given = list(sets)
    truths = {name: truth for each in reversed(given) for name, truth in each.truths.items()}
    names = sorted(truths, key=natural)
    without = {name for each in given for name in each.without_truth} - set(names)
    return TruthSet(
        {name: truths[name] for name in names},
        tuple(sorted(without, key=natural)),
        _alike([each.image_ids for each in given]),
        _alike([each.categories for each in given]),
        tuple(remark for each in given for remark in each.remarks),
        next((each.labels for each in given if each.labels), ()),
    )


def _alike(named: Sequence[Mapping[Any, str]]) -> dict[Any, str]:
    found: dict[Any, set[str]] = {}
    for each in named:
        for id, name in each.items():
            found.setdefault(id, set()).add(name)
    return {id: next(iter(names)) for id, names in found.items() if len(names) == 1}


def _of(
    annotators: tuple[str, ...],
    seen: NDArray[np.bool_],
    truths: Sequence[Truths],
    names: Sequence[str],
    progress: Progress,
) -> AnnotatedPages:
    every, any_of = {}, {}
    for page, name in enumerate(track(names, progress, "what annotators agree on")):
        here = [truths[number][name] for number in np.flatnonzero(seen[:, page]).tolist()]
        every[name] = replace(here[0], regions=tuple(agreed_regions(here)), source=b"")
        regions = [region for truth in here for region in truth.regions]
        marked = (replace(region, id=f"r{number}") for number, region in enumerate(regions))
        any_of[name] = replace(here[0], regions=tuple(marked), source=b"")
    return AnnotatedPages(annotators, tuple(names), seen, tuple(truths), every, any_of)


def agreed_regions(truths: Sequence[Truth]) -> list[Region]:
    """The parts of a page that all these truths mark with the same label.

    They may overlap each other where a truth's own regions of one label do; with one truth they are
    its regions.

    Examples
    --------
    >>> from pathlib import Path
    >>> page = Page(Path("a.png"), 9, 9)
    >>> left, right = ((0, 0), (4, 0), (4, 1), (0, 1)), ((3, 0), (9, 0), (9, 1), (3, 1))
    >>> both = [Truth(page, (Region(points, "door"),)) for points in (left, right)]
    >>> [(region.label, region.area) for region in agreed_regions(both)]
    [('door', 1.0)]
    """
    labels = sorted({region.label for truth in truths for region in truth.regions if region.label})
    found = []
    for label in labels:
        drawn = [
            Outlines.of([region.array for region in truth.regions if region.label == label])
            for truth in truths
        ]
        common = reduce(_common, drawn)
        found += [(common[number], label) for number in range(len(common))]
    return [
        Region(tuple(map(tuple, ring.tolist())), label, f"r{number}")
        for number, (ring, label) in enumerate(found)
    ]


def _common(first: Outlines, second: Outlines) -> Outlines:
    """What each outline of the first shares with each of the second, of those that share area.

    Pair by pair: GEOS loses whole polygons of large unions whose edges almost lie on each other.
    """
    pairs = coverage.overlapping_bounds(first, second)
    shared = (
        shapely.intersection(even_odd_geometry(first[one]), even_odd_geometry(second[other]))
        for one, other in pairs.tolist()
    )
    return Outlines.of([ring for ring in map(ring_from_geometry, shared) if len(ring) >= 3])
