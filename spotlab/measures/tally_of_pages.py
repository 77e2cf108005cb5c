"""The tally of some pages only: nothing is measured again."""

from __future__ import annotations

from collections.abc import Collection

from spotlab.measures.tally import Tally


def tally_of_pages(tally: Tally, names: Collection[str]) -> Tally:
    """The tally as if only these pages had been evaluated; its queries stay.

    Parameters
    ----------
    tally : Tally
    names : collection of str
        Of pages; those that are not tallied are passed over.

    Returns
    -------
    Tally
        Ranks are counted among the spots on these pages.

    Examples
    --------
    >>> from spotlab.geometry.outlines import Outlines
    >>> from spotlab.model.run import Run
    >>> nothing = Run.ordered("nothing", [], [], Outlines.of([]))
    >>> tally_of_pages(Tally.of(nothing, {}, []), ["plan"]).pages
    ()
    """
    areas = {
        page: area
        for page, area in zip(tally.pages, tally.page_area.tolist(), strict=True)
        if page in names
    }
    return Tally.of(tally.run, areas, [tally.parts[page] for page in areas], tally.queries)
