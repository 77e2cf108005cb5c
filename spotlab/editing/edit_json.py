"""Edits as a journal has them: of few regions one by one, of many as columns.

::

    {"insert": {…}, "at": 3}    {"remove": {…}, "at": 3}    {"replace": {…}, "by": {…}}
    {"page": {…}, "by": {…}}

Where many regions come or go, all of them stand in columns. Where they change, their ids and the
values that change do, so that a label for 50,000 regions is little more than their ids::

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
from dataclasses import dataclass, field, replace
from itertools import repeat
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from spotlab.editing.document import MANY, Document, Edit
from spotlab.model import Attributes, AttributeValue, Ignore, Page, Primitive, Region
from spotlab.model.reading_order import order_as_json, order_from_json
from spotlab.model.region import history_as_pairs, history_from_pairs, with_values

Value = TypeVar("Value")
FIELDS = ("points", "label", "primitive", "uncertain", "comment", "text", "ignore", "history",
          "attributes")  # fmt: skip
LATER = frozenset({"attributes"})  # fields that lines have only where some region has a value
_Columns = Mapping[str, Sequence[Any]]  # a value of each region, by the name of the field
_REGION_FIELDS = {"points": list, "label": str, "id": str, "primitive": str, "uncertain": bool,
                  "comment": str, "text": str}  # fmt: skip  # and ignore, history
_PAGE_FIELDS = {"image": str, "width": int, "height": int, "frame": int, "frames": int,
                "checked": bool}  # fmt: skip
_encoder = msgspec.json.Encoder()


@dataclass(frozen=True)
class RecordedEdit(Edit):
    """An edit as columns of a journal have it.

    Attributes
    ----------
    value : dict
        The columns as the line has them.
    ids : tuple of str
        The regions that become others; what they are is known only `on` a page.
    was, now : mapping of str to sequence
        Values of each of them before and after, by field.
    """

    value: dict[str, Any] = field(default_factory=dict)
    ids: tuple[str, ...] = ()
    was: _Columns = field(default_factory=dict)
    now: _Columns = field(default_factory=dict)

    def on(self, document: Document) -> Edit | None:
        """The edit of these regions of a page; None where one is missing or has other values."""
        if not self.ids:
            return Edit(self.before, self.after, self.places)
        before = document.regions_of(self.ids)
        if len(before) < len(self.ids):
            return None
        for name, column in self.was.items():
            if list(map(attrgetter(name), before)) != list(column):
                return None
        if "points" not in self.now:
            return Edit(before, tuple(with_values(before, self.now)))
        values = zip(*self.now.values(), strict=True)
        return Edit(
            before,
            tuple(
                replace(region, **dict(zip(self.now, row, strict=True)))
                for region, row in zip(before, values, strict=True)
            ),
        )


def encoded(value: Any) -> bytearray:
    """A value as JSON in UTF-8; texts may have what no valid UTF-8 has."""
    content = bytearray()
    try:
        _encoder.encode_into(value, content)  # ten times as fast: a step may have 50,000 regions
    except UnicodeEncodeError:  # names of files may be in any encoding
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        return bytearray(text.encode("utf-8", "surrogatepass"))
    return content


def edits_as_json(edits: Sequence[Edit], *, undone: bool = False) -> list[dict[str, Any]]:
    """The edits of a step as its line has them; the last change first where they are undone."""
    values: list[dict[str, Any]] = []
    for edit in edits:
        if isinstance(edit, RecordedEdit):
            values.append(edit.value)
        elif edit.size >= MANY:
            values.append(_in_columns(edit))
        else:
            singles = list(map(_single_as_json, edit.singles()))
            values += singles[::-1] if undone and not edit.places else singles
    return values


def edits_from_json(values: Sequence[dict[str, Any]]) -> tuple[Edit, ...]:
    """The edits that a line has.

    Raises
    ------
    LookupError, TypeError, ValueError
        They make no sense.
    """
    return tuple(map(_edit_from_json, values))


def _single_as_json(edit: Edit) -> dict[str, Any]:
    if edit.page is not None:
        before, after = edit.page
        return {"page": page_as_json(before), "by": page_as_json(after)}
    if not edit.places:
        [old], [new] = edit.before, edit.after
        return {"replace": region_as_json(old), "by": region_as_json(new)}
    [region], [place] = edit.before or edit.after, edit.places
    return {"insert" if edit.after else "remove": region_as_json(region), "at": place}


def _edit_from_json(value: dict[str, Any]) -> Edit:
    kinds = ("changes", "inserts", "removes", "insert", "remove", "page", "replace")
    kind = next(kind for kind in kinds if kind == "replace" or kind in value)
    content = value[kind]
    match kind:
        case "changes":
            edit: Edit = _changes(value)
        case "inserts" | "removes":
            regions, places = _regions(content), tuple(map(natural_number, value["at"]))
            if not places or len(places) != len(regions):
                raise ValueError("each region has a place")
            edit = RecordedEdit(regions, (), places, value=value)
            if kind == "inserts":
                edit = replace(edit, before=(), after=regions)
        case "insert":
            edit = Edit((), (region_from_json(content),), (natural_number(value["at"]),))
        case "remove":
            edit = Edit((region_from_json(content),), (), (natural_number(value["at"]),))
        case "page":
            edit = Edit(page=(page_from_json(content), page_from_json(value["by"])))
        case _:
            edit = Edit((region_from_json(content),), (region_from_json(value["by"]),))
    return edit


def region_as_json(region: Region) -> dict[str, Any]:
    """A region as a line has it."""
    value = {name: getattr(region, name) for name in _REGION_FIELDS}
    if region.ignored:
        value["ignore"] = region.ignore
    if region.history:
        value["history"] = history_as_pairs(region.history)
    if region.attributes:
        value["attributes"] = region.attributes
    return value


def region_from_json(value: dict[str, Any]) -> Region:
    """The region that a line has; LookupError, TypeError or ValueError where it makes no sense."""
    known = _known(value, _REGION_FIELDS)
    known["points"] = _points(known["points"])
    known["primitive"] = Primitive(known["primitive"])
    known["ignore"] = Ignore(of_type(value.get("ignore", "no"), str))
    history = history_from_pairs(value.get("history", []))
    return Region(**known, history=history, attributes=_attributes(value.get("attributes", [])))


def page_as_json(page: Page) -> dict[str, Any]:
    """A page's own value as a line has it."""
    value = {name: getattr(page, name) for name in _PAGE_FIELDS} | {"image": str(page.image)}
    if page.order is not None:
        value["order"] = order_as_json(page.order)
    return {**value, "tags": page.tags} if page.tags else value


def page_from_json(value: dict[str, Any]) -> Page:
    """The page's own value that a line has; see `region_from_json`."""
    known = _known(value, _PAGE_FIELDS)
    order = order_from_json(value["order"]) if "order" in value else None
    tags = tuple(map(_text, value.get("tags", ())))
    return Page(**{**known, "image": Path(known["image"])}, order=order, tags=tags)


def _in_columns(edit: Edit) -> dict[str, Any]:
    regions = edit.before or edit.after
    ids = [region.id for region in regions]
    if edit.places:
        names = _present(regions)
        columns = {"id": ids, **_as_json(_columns_of(regions, names))}
        return {"inserts" if edit.after else "removes": columns, "at": edit.places}
    names = _present((*edit.before, *edit.after))
    was, now = _columns_of(edit.before, names), _columns_of(edit.after, names)
    changed = tuple(name for name in names if was[name] != now[name])
    if "points" in changed or not changed:
        changed = names  # an outline fits only the region for which it was drawn
    checked = [name for name in changed if name != "history"]
    return {
        "changes": ids,
        "was": _as_json({name: was[name] for name in checked}),
        "now": _as_json({name: now[name] for name in changed}),
    }


def _present(regions: Sequence[Region]) -> tuple[str, ...]:
    """The fields that a line of these regions has."""
    return tuple(
        name for name in FIELDS if name not in LATER or any(map(attrgetter(name), regions))
    )


def _columns_of(regions: Sequence[Region], names: Sequence[str]) -> dict[str, list[Any]]:
    return {name: list(map(attrgetter(name), regions)) for name in names}


def _as_json(columns: _Columns) -> dict[str, Any]:
    return {name: _AS_JSON[name](column) for name, column in columns.items()}


def _distinct(column: Sequence[Any]) -> dict[str, Any]:
    objects = dict(zip(map(id, column), column, strict=True))  # most regions share theirs
    values = {value: at for at, value in enumerate(dict.fromkeys(objects.values()))}
    return _with_places(list(values), column, {key: values[it] for key, it in objects.items()})


def _distinct_histories(column: Sequence[Any]) -> dict[str, Any]:
    """Compared by identity: regions of one step share theirs, and to compare them takes long."""
    objects = dict(zip(map(id, column), column, strict=True))
    pairs = list(map(history_as_pairs, objects.values()))
    return _with_places(pairs, column, {key: at for at, key in enumerate(objects)})


def _with_places(
    values: list[Any], column: Sequence[Any], places: Mapping[int, int]
) -> dict[str, Any]:
    if len(values) <= 1:
        return {"values": values}
    return {"values": values, "of": [places[id(value)] for value in column]}


def _changes(value: dict[str, Any]) -> RecordedEdit:
    ids = tuple(map(_text, value["changes"]))
    was, now = (_columns(value[when], len(ids)) for when in ("was", "now"))
    if not ids or not now:
        raise ValueError("nothing changes")
    for points in now.get("points", ()):
        Region(points)  # ValueError where they are no outline
    return RecordedEdit(value=value, ids=ids, was=was, now=now)


def _regions(value: dict[str, Any]) -> tuple[Region, ...]:
    ids = list(map(_text, value["id"]))
    names = [name for name in FIELDS if name not in LATER or name in value]
    columns = _columns({name: value[name] for name in names}, len(ids))
    rows = zip(ids, zip(*columns.values(), strict=True), strict=True)
    return tuple(Region(id=id, **dict(zip(columns, row, strict=True))) for id, row in rows)


def _columns(value: dict[str, Any], count: int) -> dict[str, list[Any]]:
    columns = {}
    for name, column in value.items():
        read = _FROM_JSON[name]
        if isinstance(column, dict):
            values = list(map(read, column["values"]))
            places = column["of"] if "of" in column else repeat(0, count)
            columns[name] = [values[at] for at in places]
        else:
            columns[name] = list(map(read, column))
        if len(columns[name]) != count:
            raise ValueError(f"the column {name} has another length")
    return columns


def _known(value: dict[str, Any], fields: Mapping[str, type]) -> dict[str, Any]:
    """The fields that this version knows."""
    return {name: of_type(value[name], kind) for name, kind in fields.items()}


def of_type(value: Any, kind: type[Value]) -> Value:
    """Return a value that is exactly of this type; TypeError if it is not."""
    if type(value) is not kind:
        raise TypeError(f"{value!r} is not of type {kind.__name__}")
    return value


def _text(value: Any) -> str:
    return of_type(value, str)


def natural_number(value: Any) -> int:
    """Return an int that is not negative; TypeError or ValueError if it is something else."""
    if of_type(value, int) < 0:
        raise ValueError(f"{value} is negative")
    return int(value)


def _attributes(value: Any) -> Attributes:
    return Attributes((_text(name), _value(given)) for name, given in value)


def _value(value: Any) -> AttributeValue:
    if isinstance(value, list):
        return tuple(map(_text, value))
    if not isinstance(value, str | int | float):
        raise TypeError(f"{value!r:.60} is no value of an attribute")
    return value


def _points(value: Any) -> tuple[tuple[float, float], ...]:
    return tuple((float(x), float(y)) for x, y in value)


_AS_JSON: dict[str, Callable[[Sequence[Any]], Any]] = {
    **dict.fromkeys(FIELDS, _distinct),
    "points": list,
    "history": _distinct_histories,
}
_FROM_JSON: dict[str, Callable[[Any], Any]] = {
    "points": _points,
    "label": _text,
    "primitive": Primitive,
    "uncertain": lambda value: of_type(value, bool),
    "comment": _text,
    "text": _text,
    "ignore": Ignore,
    "history": history_from_pairs,
    "attributes": _attributes,
}
