"""What the truth teaches the spotter: regions of open pages, and where there are further ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from spotlab.formats.collection.folder import PageEntry
from spotlab.gui.annotate.similar.proposal_search import Example
from spotlab.model import Region, Truth

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench

MOST = 8  # examples of a label that is looked for: more say little that is new
OTHERS = 2  # of each other label on the page: what it is not
ENOUGH = 2  # examples of a label that need no other page


def examples_of(
    truths: Mapping[PageEntry, Truth],
    labels: tuple[str, ...] | None,
    first: frozenset[str],
    here: PageEntry | None,
) -> tuple[Example, ...]:
    """Regions that teach what is looked for, and what it is not.

    Parameters
    ----------
    truths : mapping of PageEntry to Truth
        Of the pages that were opened.
    labels : tuple of str or None
        What is looked for; None for every label.
    first : frozenset of str
        Regions that are taken before all others, by their ids.
    here : PageEntry or None
        The open page: its regions come before those of other pages, and its other labels count.

    Returns
    -------
    tuple of Example
        The newest regions of each label; in the order of pages and regions.
    """
    pages = sorted(truths, key=lambda entry: entry != here)
    found = [(entry, region) for entry in pages for region in reversed(truths[entry].regions)]
    found.sort(key=lambda pair: pair[1].id not in first)
    counts: dict[str, int] = {}
    taken: set[tuple[PageEntry, str]] = set()
    for entry, region in found:
        if not region.label and region.id not in first:
            continue
        wanted = labels is None or region.label in labels
        if not wanted and entry != here:
            continue
        counts[region.label] = counts.get(region.label, 0) + 1
        if counts[region.label] <= (MOST if wanted else OTHERS):
            taken.add((entry, region.id))
    return tuple(
        example_of(entry, region)
        for entry, truth in truths.items()
        for region in truth.regions
        if (entry, region.id) in taken
    )


def example_of(entry: PageEntry, region: Region) -> Example:
    """A region as an example of its label."""
    return Example(region.label, True, entry, region.points)


def pages_with(
    workbench: Workbench, labels: Iterable[str], known: Iterable[Example]
) -> dict[PageEntry, frozenset[str]]:
    """Pages that have examples of labels of which too few are known, each to be looked for there.

    As far as the collection's pages have been looked into; in their order.
    """
    missing = {label: ENOUGH for label in labels if label}
    for example in known:
        if example.label in missing:
            missing[example.label] -= 1
    missing = {label: count for label, count in missing.items() if count > 0}
    open_paths = {session.path for session in workbench.sessions}
    found: dict[PageEntry, frozenset[str]] = {}
    for index, entry in enumerate(workbench.entries):
        summary = workbench.collection.summary(index)
        if summary is None or entry.truth_path in open_paths or entry.missing:
            continue
        here = frozenset(missing) & frozenset(summary.labels)
        if here:
            found[entry] = here
            for label in here:
                missing[label] -= 1
            missing = {label: count for label, count in missing.items() if count > 0}
    return found
