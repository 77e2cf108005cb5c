"""How the window says who did what to a region, and when."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from spotlab.model import Contribution, Deed

NOBODY = "–"
_DEEDS = {
    Deed.DRAWN: "drawn",
    Deed.CHANGED: "changed",
    Deed.AGREED: "drawn alike",
    Deed.KEPT: "kept",
    Deed.TAKEN: "taken",
    Deed.MERGED: "merged",
    Deed.UNDECIDED: "left undecided",
}
_PLAIN = frozenset({Deed.DRAWN, Deed.CHANGED})


def time_text(time: datetime) -> str:
    """The time where the user is, to the minute."""
    return f"{time.astimezone():%Y-%m-%d %H:%M}"


def people_text(history: Sequence[Contribution]) -> str:
    """Who drew a region, and who changed it or decided on it last; a dash where nobody is known.

    Examples
    --------
    >>> people_text(())
    '–'
    """
    if not history:
        return NOBODY
    first, last = history[0], history[-1]
    who = last.author if first.author == last.author else f"{first.author} → {last.author}"
    return f"{who}, {time_text(last.time)}"


def history_text(history: Sequence[Contribution]) -> str:
    """A line for each contribution, the oldest first; empty where there is none."""
    lines = []
    for entry in history:
        what = _DEEDS[entry.deed] if entry.deed in _PLAIN else _decision(entry)
        lines.append(f"{time_text(entry.time)}  {what} by {entry.author}")
    return "\n".join(lines)


def _decision(entry: Contribution) -> str:
    """What was decided and whose region it was."""
    return _DEEDS[entry.deed] + (f" ({entry.source})" if entry.source else "")
