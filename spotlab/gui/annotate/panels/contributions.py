"""How the window says who did what to a region, and when."""

from __future__ import annotations

from collections.abc import Collection, Sequence
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


def last_of(history: Sequence[Contribution], deeds: Collection[Deed]) -> str:
    """The last contribution of these kinds; a dash where there is none.

    Examples
    --------
    >>> last_of((), {Deed.DRAWN})
    '–'
    """
    entry = next((entry for entry in reversed(history) if entry.deed in deeds), None)
    if entry is None:
        return NOBODY
    who = f"{entry.author}, {time_text(entry.time)}"
    return who if entry.deed in _PLAIN else f"{_decision(entry)}, {who}"


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
