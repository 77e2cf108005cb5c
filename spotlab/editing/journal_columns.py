"""How a journal has the edits of many regions: as columns, each value that many share only once.

Where regions come or go, the line has all of them; where they change, their ids and the values
that change, so that a label for 50,000 regions is little more than their ids::

    {"inserts": {"id": […], "points": […], "label": {"values": ["sofa"]}, …}, "at": [3, 4, …]}
    {"removes": {…}, "at": […]}
    {"changes": ["r1", "r2", …], "was": {"label": {"values": ["sofa", ""], "of": [0, 1, …]}},
     "now": {"label": {"values": ["chair"]}, "history": {…}}}

A column is a list of values, or its distinct ``values`` and ``of`` which of them each region has,
from 0; ``of`` is left out where all have the same one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import repeat
from operator import attrgetter, is_
from typing import Any

import msgspec

from spotlab.editing.bulk_edits import (
    FIELDS,
    BulkEdit,
    Changes,
    Insertions,
    Removals,
    columns_of,
)
from spotlab.editing.prepared_outlines import PreparedOutlines
from spotlab.model import Ignore, Primitive, Region
from spotlab.model.contribution import history_as_pairs, history_from_pairs
from spotlab.model.region import with_values

_encoder = msgspec.json.Encoder()


class RecordedChanges(BulkEdit):
    """Changes as a journal has them: which regions they are of is known only `on` a page.

    Attributes
    ----------
    value : dict
        What the line says.
    was, now : mapping of str to sequence
        Values of each region, by field.
    """

    def __init__(self, value: dict[str, Any]) -> None:
        self.value = value
        self.ids = _texts(value["changes"])
        self.was, self.now = (_columns(value[when], len(self.ids)) for when in ("was", "now"))

    def __len__(self) -> int:
        return len(self.ids)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RecordedChanges) and self.value == other.value

    __hash__ = None  # as lists have none

    def on(self, regions: Callable[[str], Region | None]) -> Changes | None:
        """The changes of these regions; None where one is missing or has other values.

        Parameters
        ----------
        regions : callable
            Gives the region with an id.
        """
        before = [region for id in self.ids if (region := regions(id)) is not None]
        if len(before) < len(self):
            return None
        for field, column in self.was.items():
            if list(map(attrgetter(field), before)) != list(column):
                return None
        if "points" not in self.now:
            return Changes(before, with_values(before, self.now), tuple(self.now))
        values = zip(*self.now.values(), strict=True)
        after = [
            replace(region, **dict(zip(self.now, each, strict=True)))
            for region, each in zip(before, values, strict=True)
        ]
        return Changes(before, after, tuple(self.now))


def encoded(value: Any) -> bytearray:
    """A value as JSON in UTF-8; texts may have what no valid UTF-8 has."""
    content = bytearray()
    try:
        _encoder.encode_into(value, content)  # ten times as fast: a step may have 50,000 regions
    except UnicodeEncodeError:  # names of files may be in any encoding
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_decoded)
        return bytearray(text.encode("utf-8", "surrogatepass"))
    return content


def _decoded(part: msgspec.Raw) -> Any:
    return json.loads(bytes(part))


def bulk_as_json(edits: BulkEdit, outlines: PreparedOutlines) -> dict[str, Any]:
    """A bulk edit as a line has it.

    Parameters
    ----------
    edits : BulkEdit
    outlines : PreparedOutlines
        Of the page.
    """
    match edits:
        case RecordedChanges():
            return edits.value
        case Changes():
            fields = edits.fields
            checked = [field for field in fields if field != "history"]
            was = _as_json(edits.columns_before(checked))
            return {"changes": edits.ids, "was": was, "now": _as_json(edits.columns_after(fields))}
        case Insertions() | Removals():
            what = "inserts" if isinstance(edits, Insertions) else "removes"
            regions = edits.regions
            if regions.recorded is None:
                columns = _as_json(columns_of(regions, _SHARED))
                points = msgspec.Raw(outlines.column(regions, edits.places))
                regions.recorded = encoded({"id": edits.ids, "points": points, **columns})
            return {what: msgspec.Raw(regions.recorded), "at": edits.places}
    raise TypeError(f"{type(edits).__name__} is not recorded")


def bulk_from_json(value: dict[str, Any]) -> BulkEdit | None:
    """The bulk edit that a line has; None where it has a single one.

    Raises
    ------
    LookupError, TypeError, ValueError
        It makes no sense.
    """
    if "changes" in value:
        return RecordedChanges(value)
    for what, kind in (("inserts", Insertions), ("removes", Removals)):
        if what in value:
            ids = _texts(value[what]["id"])
            columns = _columns({name: value[what][name] for name in FIELDS}, len(ids))
            values = zip(*columns.values(), strict=True)
            regions = [
                Region(id=id, **dict(zip(columns, each, strict=True)))
                for id, each in zip(ids, values, strict=True)
            ]
            places = value["at"]
            if len(places) != len(ids) or any(type(at) is not int or at < 0 for at in places):
                raise ValueError("each region has a place")
            made: BulkEdit = kind(regions, places)
            return made
    return None


def _as_json(columns: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    return {field: _AS_JSON[field](column) for field, column in columns.items()}


def _distinct(column: Sequence[Any]) -> dict[str, Any]:
    if _is_same(column):
        return {"values": column[:1]}
    objects = dict(zip(map(id, column), column, strict=True))  # most regions share theirs
    values = {value: at for at, value in enumerate(dict.fromkeys(objects.values()))}
    return _with_places(list(values), column, {id: values[it] for id, it in objects.items()})


def _distinct_histories(column: Sequence[Any]) -> dict[str, Any]:
    """Compared by identity: regions of one step share theirs, and to compare them takes long."""
    if _is_same(column):
        return {"values": [history_as_pairs(column[0])]}
    objects = dict(zip(map(id, column), column, strict=True))
    pairs = [history_as_pairs(history) for history in objects.values()]
    return _with_places(pairs, column, {id: at for at, id in enumerate(objects)})


def _is_same(column: Sequence[Any]) -> bool:
    """Whether all values are the same object."""
    return len(column) > 0 and all(map(is_, column, repeat(column[0])))


def _with_places(
    values: list[Any], column: Sequence[Any], places: Mapping[int, int]
) -> dict[str, Any]:
    if len(values) <= 1:
        return {"values": values}
    return {"values": values, "of": list(map(places.__getitem__, map(id, column)))}


def _columns(value: dict[str, Any], count: int) -> dict[str, list[Any]]:
    columns = {}
    for field, column in value.items():
        read = _FROM_JSON[field]
        if isinstance(column, dict):
            values = list(map(read, column["values"]))
            places = column["of"] if "of" in column else repeat(0, count)
            columns[field] = [values[at] for at in places]
        else:
            columns[field] = list(map(read, column))
        if len(columns[field]) != count:
            raise ValueError(f"the column {field} has another length")
    return columns


def _texts(values: Any) -> list[str]:
    return [_text(value) for value in values]


def _text(value: Any) -> str:
    if type(value) is not str:
        raise TypeError(f"{value!r} is not a text")
    return value


def _flag(value: Any) -> bool:
    if type(value) is not bool:
        raise TypeError(f"{value!r} is neither true nor false")
    return value


def _points(value: Any) -> tuple[tuple[float, float], ...]:
    return tuple((float(x), float(y)) for x, y in value)


_SHARED = tuple(field for field in FIELDS if field != "points")
_AS_JSON: dict[str, Callable[[Sequence[Any]], Any]] = {
    **dict.fromkeys(FIELDS, _distinct),
    "points": list,
    "history": _distinct_histories,
}
_FROM_JSON: dict[str, Callable[[Any], Any]] = {
    "points": _points,
    "label": _text,
    "primitive": Primitive,
    "uncertain": _flag,
    "comment": _text,
    "text": _text,
    "ignore": Ignore,
    "history": history_from_pairs,
}
