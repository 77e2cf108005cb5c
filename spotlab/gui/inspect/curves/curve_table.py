"""The curves as tables of text, for other programs to draw."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Sequence

from spotlab.gui.kit.plots.polylines import KINDS
from spotlab.measures.figures import RunFigures
from spotlab.studies.evaluate.curves import mean_curve

MEANS = ("run", "curve", "recall", "mean", "deviation", "queries")
POINTS = (
    "run", "query", "rank", "page", "score", "recall", "precision", "fall_out", "f",
)  # fmt: skip


def means_csv(runs: Sequence[tuple[str, RunFigures]], by: str) -> str:
    """The mean curves of all runs, a line for each of their samples.

    Parameters
    ----------
    runs : sequence of (name, RunFigures)
    by : str
        How precision is sampled, see `mean_curve`.
    """
    return _csv(MEANS, _mean_rows(runs, by))


def points_csv(runs: Sequence[tuple[str, RunFigures]], query: str | None) -> str:
    """The exact curves of one query, or of all, a line for each spot.

    Parameters
    ----------
    runs : sequence of (name, RunFigures)
    query : str or None
        None: all.
    """
    return _csv(POINTS, _point_rows(runs, query))


def _mean_rows(runs: Sequence[tuple[str, RunFigures]], by: str) -> Iterable[Sequence[object]]:
    for name, figures in runs:
        for kind in KINDS:
            curve = mean_curve(figures, kind, by)
            columns = (curve.x, curve.y, curve.deviation, curve.count)
            for row in zip(*(column.tolist() for column in columns), strict=True):
                yield (name, kind, *row)


def _point_rows(
    runs: Sequence[tuple[str, RunFigures]], query: str | None
) -> Iterable[Sequence[object]]:
    for name, figures in runs:
        tally = figures.tally
        if query is None:
            places = slice(None)
        elif query in tally.queries:
            number = tally.queries.index(query)
            places = slice(int(tally.starts[number]), int(tally.starts[number + 1]))
        else:
            continue
        columns = (
            tally.query, tally.rank, tally.page, tally.score, figures.recall, figures.precision,
            figures.fall_out, figures.f,
        )  # fmt: skip
        rows = zip(*(column[places].tolist() for column in columns), strict=True)
        for of, rank, page, *values in rows:
            yield name, tally.queries[of], rank, tally.pages[page], *map(_empty_if_nan, values)


def _empty_if_nan(value: float) -> object:
    """Undefined is nothing in a table."""
    return "" if math.isnan(value) else value


def _csv(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return text.getvalue()
