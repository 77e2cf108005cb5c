"""What is ignored in an evaluation: how many regions and spots, in words and as counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from spotlab.errors import counted
from spotlab.measures.errors import ErrorKind, Errors
from spotlab.measures.figures import RunFigures
from spotlab.measures.tally import NONE, Tally
from spotlab.model.queries import QueryModel
from spotlab.studies.areas.truth_notes import TruthNotes

BOTH = {"area_precision": "area precision", "area_recall": "area recall", "iou_precision": "AP"}


def ignored_regions_remark(notes: TruthNotes) -> Iterator[str]:
    """A line on the ignored regions of the truth, if there are any.

    Parameters
    ----------
    notes : TruthNotes

    Examples
    --------
    >>> list(ignored_regions_remark(TruthNotes(3, ignored_areas=1)))
    ['1 truth region ignored (0 symbols, 1 area): neither found nor missed nor false']
    """
    if notes.ignored:
        yield (
            f"{counted(notes.ignored, 'truth region')} ignored "
            f"({counted(notes.ignored_symbols, 'symbol')}, "
            f"{counted(notes.ignored_areas, 'area')}): "
            "neither found nor missed nor false"
        )


def ignored_remarks(
    tally: Tally,
    errors: Errors,
    figures: RunFigures,
    models: Mapping[str, Sequence[QueryModel]],
    with_models: RunFigures | None,
) -> Iterator[str]:
    """Lines on what is ignored of a run.

    Parameters
    ----------
    tally, errors, figures
        Of the run.
    models : mapping of str to sequence of QueryModel
        What its queries were taken from, by page.
    with_models : RunFigures or None
        The figures that count them, where ``figures`` does not.
    """
    spots = int(errors.count(ErrorKind.IGNORED).sum())
    if spots:
        regions = "an ignored region" if spots == 1 else "ignored regions"
        yield f"{counted(spots, 'spot')} ignored, on {regions}: neither right nor false"
    number = sum(map(len, models.values()))
    if number and with_models is not None:
        yield (
            f"{counted(number, 'query model')} ignored, with the spots on "
            f"{'it' if number == 1 else 'them'}: {_figures(figures)}; counted: "
            f"{_figures(with_models)}"
        )
    elif number:
        yield (
            f"{counted(number, 'query model')} counted: the spots that are the models themselves "
            "make the figures better"
        )


def ignored_counts(tally: Tally, errors: Errors) -> list[dict[str, Any]]:
    """Number of ignored regions and spots and the ignored area in px², of every query.

    Parameters
    ----------
    tally, errors
        Of the run.

    Returns
    -------
    list of dict
        One for each of the tally's queries; regions without a label count for each.
    """
    spots = errors.count(ErrorKind.IGNORED).tolist()
    queries = len(tally.queries)
    if tally.ignored is None:
        return [{"regions": 0, "spots": 0, "area": 0.0} for _ in range(queries)]
    regions, of_all = tally.ignored.query, int((tally.ignored.query == -1).sum())
    own = np.bincount(regions[regions > NONE + 1], minlength=queries)
    areas = tally.ignored.area.sum(axis=1).tolist()
    return [
        {"regions": int(own[query]) + of_all, "spots": spots[query], "area": areas[query]}
        for query in range(queries)
    ]


def _figures(figures: RunFigures) -> str:
    values = ((name, figures.mean[key]) for key, name in BOTH.items())
    return ", ".join(f"{name} {'–' if value is None else f'{value:.3f}'}" for name, value in values)
