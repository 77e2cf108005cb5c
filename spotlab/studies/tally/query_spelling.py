"""Spells the queries of a run as the labels of the truth are spelled, such as texts of words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from spotlab.errors import counted
from spotlab.formats.runs.format import ReadRun
from spotlab.model.run import Run


def spelled_alike(read: ReadRun, spelling: Callable[[str], str]) -> ReadRun:
    """The run with its queries spelled anew; those that become one are joined, and named.

    Parameters
    ----------
    read : ReadRun
    spelling : callable
        Gives a query as labels are spelled.

    Examples
    --------
    >>> from spotlab.geometry.polygon import Outlines
    >>> square = [(0, 0), (1, 0), (1, 1)]
    >>> run = Run.ordered("a", ["Bar", "bar"], ["p", "q"], Outlines.of([square, square]),
    ...                   score=np.array([0.1, 0.9]))
    >>> joined = spelled_alike(ReadRun(run), str.casefold)
    >>> joined.run.queries, joined.run.spot(0).page, joined.remarks
    (('bar',), 'q', ('1 query of several spellings, whose spots are ranked together: Bar, bar',))
    """
    run = read.run
    names = [spelling(query) for query in run.queries]
    models = tuple(replace(model, query=spelling(model.query)) for model in run.models)
    if len(set(names)) == len(names):
        return replace(read, run=replace(run, queries=tuple(names), models=models))
    has_scores = not np.isnan(run.score).any()
    joined = Run.ordered(
        run.name,
        [names[query] for query in run.query.tolist()],
        [run.pages[page] for page in run.page.tolist()],
        run.outlines,
        rank=None if has_scores else run.rank.astype(float),
        score=run.score,
        labels=[run.labels[label] if label >= 0 else "" for label in run.label.tolist()],
        line=run.line,
        source=run.source,
        provenance=run.provenance,
    )
    spellings: dict[str, list[str]] = {}
    for query, name in zip(run.queries, names, strict=True):
        spellings.setdefault(name, []).append(query)
    several = [given for given in spellings.values() if len(given) > 1]
    remark = (
        f"{counted(len(several), 'query')} of several spellings, whose spots are ranked together: "
        f"{', '.join(several[0])}"
    ) + (" …" if len(several) > 1 else "")
    return replace(read, run=replace(joined, models=models), remarks=(*read.remarks, remark))
