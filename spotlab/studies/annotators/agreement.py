"""Agreement of annotators by area, runs against several annotators, and the JSON of both."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.errors import BadInput, counted
from spotlab.formats.rows.csv_rows import BadLine
from spotlab.formats.rows.json_values import to_builtins
from spotlab.formats.rows.numbers import natural
from spotlab.formats.runs.format import ReadRun
from spotlab.geometry import coverage
from spotlab.geometry.polygon import Outlines, even_odd_geometry
from spotlab.geometry.rings import ring_from_geometry
from spotlab.libraries import shapely
from spotlab.measures.agreement import (
    DEFINITIONS,
    MEASURES,
    AnnotatorFigures,
    Areas,
    annotator_figures,
    whole_areas,
)
from spotlab.model import Page, Region, Run, Truth
from spotlab.progress import Progress, silent, track
from spotlab.representation import short_repr
from spotlab.studies.evaluate.evaluate import distinct_names, left_out
from spotlab.studies.evaluate.evaluation import LeftOut
from spotlab.studies.tally.tallying import tally
from spotlab.studies.tally.truth import TruthSet, match_pages

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
        spelling=next((each.spelling for each in given if each.spelling is not None), None),
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
    """Intersections of each outline of the first with each of the second that it overlaps.

    Pair by pair: GEOS loses whole polygons of large unions whose edges almost lie on each other.
    """
    pairs = coverage.overlapping_bounds(first, second)
    shared = (
        shapely.intersection(even_odd_geometry(first[one]), even_odd_geometry(second[other]))
        for one, other in pairs.tolist()
    )
    return Outlines.of([ring for ring in map(ring_from_geometry, shared) if len(ring) >= 3])


@dataclass(frozen=True, eq=False)
class RunAmongAnnotators:
    """One run.

    Attributes
    ----------
    name : str
        Differs from the names of all other runs here.
    run : Run
    figures : AnnotatorFigures
    left_out : tuple of LeftOut
        Spots on pages that no annotator has seen.
    bad_lines : tuple of BadLine
        What could not be read.
    """

    name: str
    run: Run
    figures: AnnotatorFigures
    left_out: tuple[LeftOut, ...] = ()
    bad_lines: tuple[BadLine, ...] = ()

    __repr__ = short_repr


@dataclass(frozen=True, eq=False)
class AnnotatorStudy:
    """Runs and annotators.

    Attributes
    ----------
    annotated : AnnotatedPages
    runs : tuple of RunAmongAnnotators
        In the order they were given.
    agreement : tuple of AnnotatorFigures or None
        Of each annotator, taken as a run, against the others, on the pages that this one and some
        other have seen: what a person reaches. None where there is no such page.
    """

    annotated: AnnotatedPages
    runs: tuple[RunAmongAnnotators, ...]
    agreement: tuple[AnnotatorFigures | None, ...]

    __repr__ = short_repr

    def pair(self, one: int, other: int) -> Areas | None:
        """An annotator as a run against another one, on the pages that both have seen.

        None where there are none, and for an annotator against itself. Precision and recall change
        places with the two; F is the same for both ways round.
        """
        figures = self.agreement[one]
        if one == other or figures is None:
            return None
        place = other - (other > one)
        return figures.own[place] if figures.seen[place].any() else None

    @property
    def remarks(self) -> tuple[str, ...]:
        """Remarks on the annotators, a line each."""
        annotated = self.annotated
        found = []
        for name, saw, truths in zip(
            annotated.names, annotated.seen, annotated.truths, strict=True
        ):
            regions = [region for truth in truths.values() for region in truth.regions]
            pages = f"{int(saw.sum())} of {counted(len(saw), 'page')}"
            line = f"{name}: {pages}, {counted(len(regions), 'region')}"
            bare = sum(not region.label for region in regions)
            found.append(
                f"{line}, {bare:,} of them left out because they have no label" if bare else line
            )
        if len(annotated.names) > 1 and not (annotated.seen.sum(axis=0) > 1).any():
            found.append(
                "no page has been seen by two annotators; check that page names are the "
                "same for all"
            )
        return tuple(found)


def measure_annotators(
    annotators: Mapping[str, TruthSet],
    read_runs: Sequence[ReadRun] = (),
    *,
    beta: float = 1.0,
    jobs: int = 1,
    progress: Progress = silent,
) -> AnnotatorStudy:
    """Hold runs against several annotators' regions, and the annotators against each other.

    Parameters
    ----------
    annotators : mapping of str to TruthSet
        By the annotator's name.
    read_runs : sequence of ReadRun
    beta : float
        Of F.
    jobs : int
        Processes to use; 0 for one a processor.

    Raises
    ------
    BadInput
        Two annotators have a page in different sizes.
    """
    annotated = put_side_by_side(annotators, progress)
    together = put_together(annotators.values())
    names = distinct_names([each.run for each in read_runs])
    runs = []
    for name, read in zip(names, read_runs, strict=True):
        of_run = match_pages(read.run.pages, together)
        figures = _figures(read.run, annotated, of_run, beta, jobs, progress)
        lost = left_out(read.run, together)
        runs.append(RunAmongAnnotators(name, read.run, figures, lost, read.bad_lines))
    agreement = tuple(
        _against_others(annotated, number, beta, jobs, progress)
        for number in range(len(annotators))
    )
    return AnnotatorStudy(annotated, tuple(runs), agreement)


def _figures(
    run: Run,
    annotated: AnnotatedPages,
    of_run: Mapping[str, str | None],
    beta: float,
    jobs: int,
    progress: Progress,
) -> AnnotatorFigures:
    *own, every, marked = (
        tally(run, truths, of_run, jobs=jobs, progress=progress)
        for truths in (*annotated.truths, annotated.every, annotated.any)
    )
    return annotator_figures(annotated.names, own, annotated.seen, every, marked, beta)


def _against_others(
    annotated: AnnotatedPages, number: int, beta: float, jobs: int, progress: Progress
) -> AnnotatorFigures | None:
    """One annotator as a run against the others."""
    others = [other for other in range(len(annotated.names)) if other != number]
    if not others:
        return None
    rest = annotated.only(others, np.flatnonzero(annotated.seen[number]).tolist())
    if not rest.pages:
        return None
    drawn = {page: annotated.truths[number][page] for page in rest.pages}
    run = run_of(annotated.names[number], drawn)
    return _figures(run, rest, {page: page for page in rest.pages}, beta, jobs, progress)


def run_of(name: str, truths: Mapping[str, Truth]) -> Run:
    """An annotator's regions as the spots of a run; those without a label are left out."""
    regions = [
        (region.label, page, region.array)
        for page, truth in truths.items()
        for region in truth.regions
        if region.label
    ]
    return Run.ordered(
        name,
        [label for label, _, _ in regions],
        [page for _, page, _ in regions],
        Outlines.of([ring for _, _, ring in regions]),
        rank=np.arange(1.0, len(regions) + 1),
    )


def pair_areas(
    first: Mapping[str, Truth], second: Mapping[str, Truth], *, progress: Progress = silent
) -> tuple[tuple[str, ...], Areas]:
    """Find what two annotators mark alike, label by label.

    Parameters
    ----------
    first, second : mapping of str to Truth
        What each has drawn, by page; the same pages.

    Returns
    -------
    labels : tuple of str
        All that one of the two uses.
    areas : Areas
        The second annotator as a run against the first. Places are counted once, as in
        `measure_annotators`.
    """
    tallied = tally(run_of("second", second), first, {page: page for page in first},
                    progress=progress)  # fmt: skip
    return tuple(tallied.queries), whole_areas(tallied)


def as_json(study: AnnotatorStudy) -> Any:
    """The study as what `json.dumps` takes, without NaN.

    Of every run the figures of `spotlab.measures.agreement.DEFINITIONS`: averaged over queries,
    of all areas together, of every query and along its list; and each annotator's own. Of every
    annotator the same against the others; ``pairs[i][j]`` is annotator i as a run against j.
    """
    annotated = study.annotated
    return to_builtins(
        {
            "pages": annotated.pages,
            "annotators": [
                {"name": name, "seen": [annotated.pages[page] for page in np.flatnonzero(saw)]}
                for name, saw in zip(annotated.names, annotated.seen, strict=True)
            ],
            "definitions": dict(DEFINITIONS),
            "runs": [_run(run) for run in study.runs],
            "agreement": {
                "pairs": [
                    [_own(study.pair(one, other)) for other in range(len(annotated.names))]
                    for one in range(len(annotated.names))
                ],
                "against_others": [figures and figures.pooled() for figures in study.agreement],
            },
            "remarks": study.remarks,
        }
    )


def _run(run: RunAmongAnnotators) -> dict[str, Any]:
    figures = run.figures
    return {
        "name": run.name,
        "spots": len(run.run),
        "evaluated": len(figures.tally),
        "mean": figures.mean(),
        "pooled": figures.pooled(),
        "annotators": {
            name: _own(areas) for name, areas in zip(figures.annotators, figures.own, strict=True)
        },
        "queries": _queries(figures),
        "left_out": run.left_out,
        "bad_lines": [str(line) for line in run.bad_lines],
    }


def _queries(figures: AnnotatorFigures) -> dict[str, Any]:
    tally, whole, along = figures.tally, figures.of_queries(), figures.at_spots()
    found: dict[str, Any] = {}
    for query, name in enumerate(tally.queries):
        part = slice(*tally.starts[query : query + 2].tolist())
        ends = {figure: values[query] for figure, values in whole.items()}
        curve = {figure: values[part] for figure, values in along.items()}
        spots = {"rank": tally.rank[part], "score": tally.score[part]}
        found[name] = {**ends, "curve": spots | curve}
    return found


def _own(areas: Areas | None) -> dict[str, float] | None:
    return None if areas is None else {name: areas.pooled(name) for name in MEASURES}
