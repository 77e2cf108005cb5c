"""Two runs against the same truth, made from boxes or random polygons, for tests that compare."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from spotlab.geometry.polygon import Outlines
from spotlab.measures.cuts import CutRun
from spotlab.measures.figures import compute_figures
from spotlab.measures.measure import MeasureSettings
from spotlab.model import Page, Region, Run, Truth
from spotlab.studies.tally.tallying import tally

Ring = Sequence[tuple[float, float]]
Placed = tuple[str, str, Ring]  # query or label, page, ring


def truths_of(regions: Sequence[Placed], pages: Sequence[str], side: int = 100) -> dict[str, Truth]:
    """The truth of square pages; regions are named by their place in the list."""
    return {
        page: Truth(
            Page(Path(f"{page}.png"), side, side),
            tuple(
                Region(tuple((float(x), float(y)) for x, y in ring), label, f"r{number}")
                for number, (label, of, ring) in enumerate(regions)
                if of == page
            ),
        )
        for page in pages
    }


def cut_run(
    name: str,
    spots: Sequence[Placed],
    truths: Mapping[str, Truth],
    settings: MeasureSettings | None = None,
    keep: int | None = None,
) -> CutRun:
    """A run whose spots stand in order of rank, and the first of every query that it keeps."""
    run = Run.ordered(
        name,
        [query for query, _, _ in spots],
        [page for _, page, _ in spots],
        Outlines.of([ring for _, _, ring in spots]),
        score=-np.arange(len(spots), dtype=np.float64),
    )
    tallied = tally(run, truths, {page: page for page in truths})
    lengths = np.diff(tallied.starts)
    counts = lengths if keep is None else np.minimum(lengths, keep)
    return CutRun(name, compute_figures(tallied, settings), counts)
