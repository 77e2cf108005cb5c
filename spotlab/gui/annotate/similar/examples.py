"""What is looked for while truth is drawn, and the regions that show it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from spotlab.formats.collection.folder import PageEntry
from spotlab.model import Truth

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench

Ring = tuple[tuple[float, float], ...]
Looks = tuple[PageEntry | None, Ring, tuple[Ring, ...]]
MOST = 8  # examples of a label that is looked for: more say little that is new
OTHERS = 2  # of each other label on the page: what it is not
ENOUGH = 2  # examples of a label that need no other page


@dataclass(frozen=True)
class Example:
    """A region that is known to be of a label, or not to be.

    Attributes
    ----------
    label : str
    good : bool
    entry : PageEntry or None
        Its page; None for what was drawn on none.
    points : tuple of (x, y)
        Its outline in px of the page.
    strokes : tuple of tuple of (x, y)
        What was drawn.
    """

    label: str
    good: bool
    entry: PageEntry | None
    points: Ring = ()
    strokes: tuple[Ring, ...] = ()

    @property
    def looks(self) -> Looks:
        """Equal for examples that look the same, whatever was said of them."""
        return self.entry, self.points, self.strokes


@dataclass(frozen=True, eq=False)
class Sought:
    """What is looked for, and where it is shown beside the pages that are open.

    Attributes
    ----------
    labels : tuple of str or None
        None for every label that there are examples of.
    first : frozenset of str
        Ids of the regions that were selected: they are taken before all others.
    examples : tuple of Example
        A drawing, which counts instead of all regions, or regions of pages that were looked into.
    wanted : mapping of PageEntry to frozenset of str
        Pages to be looked into, and of which labels they have examples.
    given : str
        Title of proposals that were found in another way: nothing is searched then.
    """

    labels: tuple[str, ...] | None = ()
    first: frozenset[str] = frozenset()
    examples: tuple[Example, ...] = ()
    wanted: Mapping[PageEntry, frozenset[str]] = field(default_factory=dict)
    given: str = ""

    @property
    def drawn(self) -> bool:
        """Tell whether a drawing is looked for."""
        return any(each.strokes for each in self.examples)

    @property
    def title(self) -> str:
        """What people call it.

        Examples
        --------
        >>> drawing = Example("", True, None, strokes=(((0, 0), (9, 9)),))
        >>> Sought(("sofa",)).title, Sought(None).title, Sought(("",), examples=(drawing,)).title
        ('sofa', 'Everything', 'Drawing')
        """
        if self.given or self.labels is None:
            return self.given or "Everything"
        if self.drawn:
            return self.labels[0] or "Drawing"
        named = [label or "unlabeled" for label in self.labels]
        return ", ".join(named) if len(named) <= 3 else f"{len(named)} labels"

    def renamed(self, old: str, new: str) -> Sought:
        """The same where a label has another name."""

        def name(label: str) -> str:
            return new if label == old else label

        labels = None if self.labels is None else tuple(dict.fromkeys(map(name, self.labels)))
        examples = tuple(replace(each, label=name(each.label)) for each in self.examples)
        return replace(self, labels=labels, examples=examples)


def open_truths(workbench: Workbench) -> dict[PageEntry, Truth]:
    """The truth of the pages that were opened, as it is now."""
    entries = {entry.truth_path: entry for entry in workbench.entries}
    return {
        entries[session.path]: session.document.truth
        for session in workbench.sessions
        if session.path in entries
    }


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
    newest = [(entry, region) for entry in truths for region in reversed(truths[entry].regions)]
    newest.sort(key=lambda pair: (pair[1].id not in first, pair[0] != here))
    counts = Counter[str]()
    taken: set[tuple[PageEntry, str]] = set()
    for entry, region in newest:
        wanted = labels is None or region.label in labels
        most = MOST if wanted else OTHERS if entry == here else 0
        if (region.label or region.id in first) and counts[region.label] < most:
            counts[region.label] += 1
            taken.add((entry, region.id))
    return tuple(
        Example(region.label, True, entry, region.points)
        for entry, truth in truths.items()
        for region in truth.regions
        if (entry, region.id) in taken
    )


def pages_with(
    workbench: Workbench, labels: Iterable[str], known: Iterable[Example]
) -> dict[PageEntry, frozenset[str]]:
    """Pages that have examples of labels of which too few are known, each to be looked for there.

    As far as the collection's pages have been looked into; in their order.
    """
    missing = Counter({label: ENOUGH for label in labels if label})
    missing.subtract(example.label for example in known)
    open_paths = {session.path for session in workbench.sessions}
    found: dict[PageEntry, frozenset[str]] = {}
    for index, entry in enumerate(workbench.entries):
        summary = workbench.collection.summary(index)
        if summary is None or entry.truth_path in open_paths or entry.missing:
            continue
        here = frozenset(label for label in summary.labels if missing[label] > 0)
        if here:
            found[entry] = here
            missing.subtract(here)
    return found
