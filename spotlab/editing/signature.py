"""Signs a step: who drew or changed its regions, and when, goes into their history."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from operator import attrgetter

from spotlab.editing.bulk_edits import Changes, Insertions, Removals, joined, parts_of
from spotlab.editing.document import Edit, Insert, Remove, Replace
from spotlab.model import Contribution, Deed, Region
from spotlab.model.contribution import with_contribution
from spotlab.model.region import with_values

_History = tuple[Contribution, ...]


def sign(edits: Sequence[Edit], author: str, time: datetime) -> Sequence[Edit]:
    """The edits of one step, with their author in the history of the regions drawn or changed.

    A region that comes in with a history, such as a part of a region that was split, counts as
    changed. Undo puts the region back with the history that it had.

    Parameters
    ----------
    edits : sequence of Edit
        In the order in which they are applied.
    author : str
        Who takes the step.
    time : datetime
        When, with a time zone.

    Examples
    --------
    >>> from datetime import UTC
    >>> region = Region(((0, 0), (1, 0), (1, 1)))
    >>> signed = sign([Insert(region, 0)], "Anna", datetime(2026, 1, 1, tzinfo=UTC))
    >>> [entry.text for entry in signed[0].region.history]
    ['drawn 2026-01-01T00:00:00+00:00 Anna']
    """
    drawn = Contribution(Deed.DRAWN, author, time)
    changed = Contribution(Deed.CHANGED, author, time)
    return joined(*(_signed(part, drawn, changed) for part in parts_of(edits)))


def _signed(edits: Sequence[Edit], drawn: Contribution, changed: Contribution) -> Sequence[Edit]:
    match edits:
        case Removals():
            return edits
        case Insertions():
            _, now = _histories(edits.regions, drawn, changed)
            return Insertions(with_values(edits.regions, {"history": now}), edits.places)
        case Changes():
            was, now = _histories(edits.before, None, changed)
            if edits.now:
                known = {**edits.was, "history": was}
                return Changes.of(edits.before, known, {**edits.now, "history": now})
            regions = with_values(edits.after, {"history": now})
            return Changes(edits.before, regions, tuple({*edits.fields, "history"}))
    return _signed_each(edits, drawn, changed)


def _histories(
    before: Sequence[Region], first: Contribution | None, changed: Contribution
) -> tuple[list[_History], list[_History]]:
    """The histories of regions, and with one more entry each; ``first`` where there is none."""
    histories: list[_History] = list(map(attrgetter("history"), before))
    keys = list(map(id, histories))
    made = {  # of each that is there: many share one
        key: with_contribution(history, changed if history else first or changed)
        for key, history in dict(zip(keys, histories, strict=True)).items()
    }
    return histories, list(map(made.__getitem__, keys))


def _signed_each(
    edits: Sequence[Edit], drawn: Contribution, changed: Contribution
) -> Sequence[Edit]:
    now: dict[str, Region] = {}  # what the step has made of each region so far
    before: dict[str, Region] = {}  # what it has taken away
    signed: list[Edit] = []
    for edit in edits:
        match edit:
            case Insert(region, index):
                known = region.history or before.get(region.id, region).history
                history = with_contribution(known, changed) if known else (drawn,)
                now[region.id] = region.with_history(history)
                signed.append(Insert(now[region.id], index))
            case Remove(region, index):
                before[region.id] = now.pop(region.id, region)
                signed.append(Remove(before[region.id], index))
            case Replace(Region() as old, Region() as new):
                old = now.get(old.id, old)
                now[new.id] = new.with_history(with_contribution(old.history, changed))
                signed.append(Replace(old, now[new.id]))
            case _:
                signed.append(edit)
    return signed
