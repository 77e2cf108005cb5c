"""Which pages and regions of a collection are exported."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from spotlab.errors import counted
from spotlab.model import LabelSet, Truth


@dataclass(frozen=True)
class Selection:
    """Which pages and which labels.

    Attributes
    ----------
    checked : bool
        Only pages that are marked as checked.
    labels : frozenset of str or None
        Only regions of these labels, "" for those without; None for all.
    """

    checked: bool = False
    labels: frozenset[str] | None = None


EVERYTHING = Selection()


def select(truths: Sequence[Truth], selection: Selection) -> tuple[list[Truth], list[str]]:
    """Take what is selected, and say what is left out.

    Parameters
    ----------
    truths : sequence of Truth
    selection : Selection

    Returns
    -------
    truths : list of Truth
        Without other regions and other labels. A page without regions stays.
    remarks : list of str
        A line each for pages, regions and labels that were asked for and are not there.

    Examples
    --------
    >>> from pathlib import Path
    >>> from spotlab.model import Page, Region
    >>> regions = [Region(((0, 0), (9, 0), (9, 9)), label) for label in ("sofa", "bed")]
    >>> truth = Truth(Page(Path("a.png"), 9, 9), tuple(regions))
    >>> [one], remarks = select([truth], Selection(labels=frozenset({"bed", "sink"})))
    >>> [region.label for region in one.regions], remarks
    (['bed'], ['1 region of other labels was left out', "no region has the label 'sink'"])
    """
    taken = [truth for truth in truths if truth.page.checked or not selection.checked]
    remarks = []
    if len(taken) < len(truths):
        count = len(truths) - len(taken)
        remarks.append(f"{_were(count, 'page')} that are not marked as checked".replace(
            "1 page was left out that are", "1 page was left out that is"))  # fmt: skip
    if selection.labels is None:
        return taken, remarks
    kept = [_with_labels_only(truth, selection.labels) for truth in taken]
    count = sum(len(truth.regions) for truth in taken) - sum(len(truth.regions) for truth in kept)
    if count:
        remarks.append(f"{counted(count, 'region')} of other labels "
                       f"{'were' if count > 1 else 'was'} left out")  # fmt: skip
    used = {region.label for truth in taken for region in truth.regions}
    remarks += [f"no region has the label {name!r}" for name in sorted(selection.labels - used)]
    return kept, remarks


def _were(count: int, noun: str) -> str:
    return f"{count:,} {noun}s were left out" if count > 1 else f"1 {noun} was left out"


def _with_labels_only(truth: Truth, names: frozenset[str]) -> Truth:
    regions = tuple(region for region in truth.regions if region.label in names)
    labels = LabelSet(tuple(label for label in truth.labels if label.name in names))
    return replace(truth, regions=regions, labels=labels)
