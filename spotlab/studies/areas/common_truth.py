"""Two runs against one truth: what either run takes its queries from is ignored for both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from spotlab.measures.figures import RunFigures, compute_figures
from spotlab.model.queries import QueryModel
from spotlab.model.region import Primitive
from spotlab.model.truth import Truth
from spotlab.studies.areas.ignored_models import tally_without_models, truth_without_models

Models = Mapping[str, tuple[QueryModel, ...]]  # by page


def common_models(first: Models, second: Models) -> dict[str, tuple[QueryModel, ...]]:
    """The models of two runs by page, each once.

    Parameters
    ----------
    first, second : mapping of str to tuple of QueryModel
        By page; empty for a run whose models count.

    Examples
    --------
    >>> ring = ((0, 0), (9, 0), (9, 9))
    >>> bed, sofa = QueryModel("bed", "plan", ring), QueryModel("sofa", "plan", ring)
    >>> found = common_models({"plan": (bed,)}, {"plan": (sofa, bed)})
    >>> [model.query for model in found["plan"]]
    ['bed', 'sofa']
    """
    return {
        page: tuple(dict.fromkeys((*first.get(page, ()), *second.get(page, ()))))
        for page in dict.fromkeys((*first, *second))
    }


def figures_without(
    figures: RunFigures,
    own: Models,
    common: Models,
    truths: Mapping[str, Truth],
    primitive: Primitive | None = None,
) -> RunFigures:
    """The figures of a run that leaves out these models and not only its own.

    Parameters
    ----------
    figures : RunFigures
        Without the run's own models.
    own, common : mapping of str to tuple of QueryModel
        The run's own models, and those to leave out, by page.
    truths : mapping of str to Truth
        Of the pages that models are on.
    primitive : Primitive, optional
        What all outlines are turned into before.

    Returns
    -------
    RunFigures
        The same figures where no other models are left out; only pages with others are tallied
        again.
    """
    others = {page: models for page, models in common.items() if models != own.get(page, ())}
    if not others:
        return figures
    tally = tally_without_models(figures.tally, truths, others, primitive)
    return compute_figures(tally, figures.settings)


def common_truths(truths: Mapping[str, Truth], models: Models) -> dict[str, Truth]:
    """The truth of each page with these models ignored.

    Parameters
    ----------
    truths : mapping of str to Truth
    models : mapping of str to sequence of QueryModel
    """
    empty: Sequence[QueryModel] = ()
    return {
        page: truth_without_models(truth, models.get(page, empty)) for page, truth in truths.items()
    }
