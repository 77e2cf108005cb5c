"""What Enter takes in the label finder: a label that was surely meant, or a new one."""

from __future__ import annotations

import re
from collections.abc import Iterable

_WORD = re.compile(r"[^\W_]+")


def meant(text: str, names: Iterable[str]) -> str | None:
    """The label that was surely meant; None where a new one is.

    The same name comes first, in the same case if it can be; then names that begin like the text,
    those of which a word does, and those whose words have these initials; of several the shortest.
    A name shorter than the text is never meant, nor one that merely holds it or resembles it.

    Examples
    --------
    >>> names = ["armchair", "bed", "coffee table", "sofa", "Sofa bed"]
    >>> meant("SOFA", names), meant("cof", names), meant("tab", names), meant("CT", names)
    ('sofa', 'coffee table', 'coffee table', 'coffee table')
    >>> meant("chair", names), meant("double bed", names), meant("sofabed", names), meant("", names)
    (None, None, None, None)
    """
    typed = normal(text)
    if not typed:
        return None
    ranked = [
        (rank, len(name), number, name)
        for number, name in enumerate(names)
        if (rank := _rank(typed, name)) is not None
    ]
    return min(ranked)[-1] if ranked else None


def normal(text: str) -> str:
    """A label as it is kept: single spaces, none around.

    Examples
    --------
    >>> normal("  double   bed ")
    'double bed'
    """
    return " ".join(text.split())


def _rank(typed: str, name: str) -> int | None:
    """How surely the name was meant, 0 for most surely; None if it was not."""
    if typed == name:
        return 0
    if len(name) < len(typed):
        return None
    text, folded = typed.casefold(), name.casefold()
    if text == folded:
        return 1
    if folded.startswith(text):
        return 2
    words = list(_WORD.finditer(folded))
    if any(folded.startswith(text, word.start()) for word in words):
        return 3
    initials = "".join(word[0][0] for word in words)
    return 4 if len(words) > 1 and text == initials else None
