"""What the plots say in words: what is undefined, and what the pointer is at."""

from __future__ import annotations

import html
import math

from spotlab.errors import counted
from spotlab.gui.kit.plain_text import rich
from spotlab.measures.figures import RunFigures
from spotlab.report.figure_text import written
from spotlab.studies.evaluate.curves import MeanCurve

KINDS = {"precision": "precision", "fall_out": "fall-out", "f": "F"}


def undefined_note(runs: list[tuple[str, RunFigures]], query: str | None) -> str:
    """Why there is less to see than expected; empty if there is not. Each reason stands once.

    Parameters
    ----------
    runs : list of (name, RunFigures)
        Those that are shown.
    query : str or None
    """
    named: dict[str, list[str]] = {}
    for name, figures in runs:
        if note := _note(figures, query):
            named.setdefault(note, []).append(name)
    if len(runs) == 1:
        return "\n".join(named)
    return "\n".join(
        f"{'All runs' if len(names) == len(runs) else ', '.join(names)}: {note}"
        for note, names in named.items()
    )


def point_tip(figures: RunFigures, spot: int, run: str = "") -> str:
    """What stands beside the pointer at a curve's point.

    Parameters
    ----------
    figures : RunFigures
    spot : int
        Place in the tally.
    run : str
        The run's name, where there are several.
    """
    tally = figures.tally
    score = float(tally.score[spot])
    known = "" if math.isnan(score) else f" · score {score:.4g}"
    values = {"P": figures.precision, "R": figures.recall, "F": figures.f}
    line = "&nbsp; ".join(f"{name} {written(float(each[spot]))}" for name, each in values.items())
    name = html.escape(tally.queries[tally.query[spot]])
    of = f" · {html.escape(run)}" if run else ""
    rank = f"rank {tally.rank[spot]:,}{known}"
    return rich(f"<p style='white-space:pre'><b>{name}</b>{of}<br>{rank}<br>{line}</p>")


def mean_tip(run: str, kind: str, mean: MeanCurve, point: int, reaching: int | None) -> str:
    """What stands beside the pointer at a mean curve.

    Parameters
    ----------
    run : str
        The run's name.
    kind : str
        "precision", "fall_out" or "f".
    mean : MeanCurve
    point : int
        Place among its samples.
    reaching : int or None
        How many of the queries reach this recall; None where the samples are no recalls.
    """
    recall, value = written(float(mean.x[point])), written(float(mean.y[point]))
    count = int(mean.count[point])
    queries = counted(count, "query")
    reach = "" if reaching is None else f", {reaching:,} of them at this recall"
    return rich(
        f"<p style='white-space:pre'><b>{html.escape(run)}</b><br>"
        f"recall {recall}&nbsp; {KINDS[kind]} {value}<br>mean of {queries}{reach}</p>"
    )


def _note(figures: RunFigures, query: str | None) -> str:
    if query is not None:
        return _note_of_query(figures, query)
    tally = figures.tally
    lacking, count = int((figures.truth <= 0).sum()), len(tally.queries)
    if not count:
        return "There are no queries, so all figures are undefined."
    if lacking == count:
        return "No query has truth on these pages: recall is undefined, so there are no curves."
    if not len(tally):
        return "The run has no spots on pages with truth: nothing is retrieved."
    if lacking:
        queries = counted(lacking, "query")
        return f"Left out of the curves: {queries} without truth, where recall is undefined."
    return ""


def _note_of_query(figures: RunFigures, query: str) -> str:
    tally = figures.tally
    if query not in tally.queries:
        return f"“{query}” is not among the run's queries."
    number = tally.queries.index(query)
    if figures.truth[number] <= 0:
        return f"There is no truth for “{query}”: its recall is undefined, so it has no curve."
    if tally.starts[number] == tally.starts[number + 1]:
        return (
            f"Nothing is retrieved for “{query}”: its recall is 0, and its precision is undefined."
        )
    return ""
