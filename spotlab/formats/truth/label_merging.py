"""Three-way merge of label sets: two people have changed the labels of one collection."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from spotlab.formats.shared.merging import Merged, merge_lists, merge_mappings
from spotlab.model import Label, LabelSet
from spotlab.model.labels import DIGITS


def merge_label_sets(base: LabelSet, mine: LabelSet, theirs: LabelSet) -> Merged[LabelSet]:
    """Merge two label sets that come from the same one.

    A set that was locked elsewhere stays as it was locked: labels that were added or removed here
    meanwhile are not, while their colours, digits and descriptions are changed.

    Parameters
    ----------
    base, mine, theirs : LabelSet
        What both sides began with, and what they made of it.

    Returns
    -------
    Merged of LabelSet
        Where both sides gave a label another colour or description, mine counts. A digit that both
        gave to different labels stays with the label that they gave it to; mine gets a free one.

    Examples
    --------
    >>> base = LabelSet().with_label("sofa")
    >>> merged = merge_label_sets(base, base.with_label("table"), base.with_label("chair"))
    >>> [(label.name, label.digit) for label in merged.value]
    [('sofa', '1'), ('chair', '2'), ('table', '3')]
    >>> merged.remarks
    ('“table” has the digit 3 now: another window gave 2 to “chair”',)
    """
    if mine in (base, theirs):
        return Merged(theirs)
    if theirs == base:
        return Merged(mine)
    locked = theirs.locked if mine.locked == base.locked else mine.locked
    remarks: list[str] = []
    if theirs.locked and not base.locked and not mine.locked:
        mine, remarks = _as_locked(base, mine, theirs)
    merged, conflicts = merge_mappings(_by_name(base), _by_name(mine), _by_name(theirs))
    for conflict in conflicts:
        name, *key = conflict.keys
        if key and key[0] != "digit":
            remarks.append(
                f"The {key[0]} of “{name}” was changed in another window, too: yours is kept"
            )
        elif not key:
            remarks.append(f"“{name}” was removed in one window and changed in another: it stays")
    names = merge_lists(*(tuple(side) for side in map(_names, (base, theirs, mine))))
    names = [*(name for name in names if name in merged), *(n for n in merged if n not in names)]
    labels = [Label(name, **merged[name]) for name in names]
    labels, moved = _with_own_digits(labels, theirs)
    return Merged(LabelSet(tuple(labels), locked), (*remarks, *moved))


def _as_locked(base: LabelSet, mine: LabelSet, theirs: LabelSet) -> tuple[LabelSet, list[str]]:
    """My set without labels that were added and with those that were removed meanwhile."""
    added = [label.name for label in mine if label.name not in base and label.name not in theirs]
    removed = [label for label in base if label.name not in mine and label.name in theirs]
    remarks = [f"The label set was locked in another window: {_quoted(added)} was not added"]
    remarks = remarks if added else []
    if removed:
        quoted = _quoted(label.name for label in removed)
        remarks.append(f"The label set was locked in another window: {quoted} was not removed")
    for name in added:
        mine = mine.without(name)
    for label in removed:
        mine = mine.with_entry(label, len(mine))
    return mine, remarks


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(f"“{name}”" for name in names)


def _names(labels: LabelSet) -> Iterable[str]:
    return (label.name for label in labels)


def _by_name(labels: LabelSet) -> dict[str, dict[str, Any]]:
    entries = {label.name: asdict(label) for label in labels}
    for entry in entries.values():
        del entry["name"]
    return entries


def _with_own_digits(labels: list[Label], theirs: LabelSet) -> tuple[list[Label], list[str]]:
    """The labels with no digit twice; those of the other side come first."""
    kept: dict[str, str] = {}
    for label in theirs:
        if label.digit and any(each == label for each in labels):
            kept[label.digit] = label.name
    for label in labels:
        if label.digit:
            kept.setdefault(label.digit, label.name)
    free = [digit for digit in DIGITS if digit not in kept]
    found, remarks = [], []
    for label in labels:
        digit = label.digit
        if digit and kept[digit] != label.name:
            given = free.pop(0) if free else ""
            now = f"has the digit {given}" if given else "has no digit"
            other = kept[digit]
            remarks.append(f"“{label.name}” {now} now: another window gave {digit} to “{other}”")
            digit = given
        found.append(Label(label.name, label.colour, digit, label.description))
    return found, remarks
