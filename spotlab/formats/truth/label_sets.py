"""Label sets of formats that number their classes: every class is a label of its own, in order."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from spotlab.model import LabelSet


def distinct_names(names: Sequence[str], kinds: Sequence[str] = ()) -> list[str]:
    """Give every class a name of its own, so that none is merged with another.

    Parameters
    ----------
    names : sequence of str
        The classes in the order of their numbers; white space is collapsed.
    kinds : sequence of str
        Such as supercategories, as many: where names are equal, these tell them apart.

    Returns
    -------
    list of str
        As many. A class without a name is called by its number.

    Examples
    --------
    >>> distinct_names(["door", "sink", "door", ""])
    ['door', 'sink', 'door (2)', '3']
    >>> distinct_names(["door", "door"], ["room", "car"])
    ['door', 'door (car)']
    """
    plain = [" ".join(name.split()) or str(number) for number, name in enumerate(names)]
    taken: set[str] = set()
    given = set(plain)
    for number, name in enumerate(plain):
        own, count = name, 1
        if own in taken and number < len(kinds) and kinds[number].strip():
            own = f"{name} ({kinds[number].strip()})"
        while own in taken or (own != name and own in given):
            count += 1
            own = f"{name} ({count})"
        plain[number] = own
        taken.add(own)
    return plain


def label_set(names: Sequence[str]) -> LabelSet:
    """Return the labels of these names, with colours, and digits as far as there are.

    Examples
    --------
    >>> [(label.name, label.digit) for label in label_set(["zebra", "apple"])]
    [('zebra', '1'), ('apple', '2')]
    """
    return _label_set(tuple(names))


@lru_cache(maxsize=64)  # single files of one set ask for the same labels again and again
def _label_set(names: tuple[str, ...]) -> LabelSet:
    labels = LabelSet()
    for name in names:
        labels = labels.with_label(name)
    return labels
