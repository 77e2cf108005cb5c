"""The file ``spotlab.json`` of a collection: its labels and what else is kept for all its users."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct, convert

from spotlab.errors import BadInput, reason
from spotlab.files import composed, read_file
from spotlab.formats.rows.json_values import json_kind
from spotlab.formats.shared.checked_json import MISSING, fit, parse_object
from spotlab.formats.shared.shared_file import Merged, Read, SharedFile, merge_lists, merge_mappings
from spotlab.imaging.ink import InkSettings, settings_from_values
from spotlab.model import AttributeKind, AttributeSpec, Label, LabelSet
from spotlab.model.attributes import Specs
from spotlab.model.region import DIGITS


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
    specs, both = merge_mappings(_specs_by_name(base), _specs_by_name(mine), _specs_by_name(theirs))
    for conflict in both:
        remarks.append(
            f"The attribute “{conflict.keys[0]}” was changed in another window, too: yours is kept"
        )
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
    merged_set = LabelSet(tuple(labels), locked, tuple(specs.values()))
    return Merged(merged_set, (*remarks, *moved))


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
    return {
        label.name: {each.name: getattr(label, each.name) for each in fields(label)[1:]}
        for label in labels
    }


def _specs_by_name(labels: LabelSet) -> dict[str, AttributeSpec]:
    return {spec.name: spec for spec in labels.attributes}


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
        found.append(replace(label, digit=digit))
    return found, remarks


NAME = "spotlab.json"


class LabelEntry(Struct):
    """A label as the file has it."""

    name: Annotated[str, Meta(min_length=1)]
    colour: str = ""
    digit: str = ""
    description: str = ""
    number: int | str | None = None


class AttributeEntry(Struct, forbid_unknown_fields=True):
    """The rule for an attribute as the file has it; `AttributeSpec` says what may be together."""

    name: Annotated[str, Meta(min_length=1)]
    kind: AttributeKind = AttributeKind.TEXT
    choices: tuple[str, ...] = ()
    default: str | bool | int | float | tuple[str, ...] | None = None
    required: bool = False
    description: str = ""


class RoomChoices(Struct):
    """Settings for finding rooms, except for the gap, which is set per page.

    Attributes
    ----------
    wide : bool
    margin : int
        In px.
    kind : str
    learns : bool
        Whether the margin follows the rooms that somebody draws; not where it was set by hand.
    """

    wide: bool = True
    margin: Annotated[int, Meta(ge=-10_000, le=10_000)] = 0
    kind: str = "automatic"
    learns: bool = True


_KEYS = ("name", "colour", "digit", "description")
_SPECS = "attributes"
_SPEC_KEYS = AttributeEntry.__struct_fields__
KINDS: Mapping[str, Any] = {"locked": bool, "ink": InkSettings, "rooms": RoomChoices}


@dataclass(frozen=True)
class CollectionFile:
    """Values stored for a collection.

    Attributes
    ----------
    labels : LabelSet
    values : mapping of str to object
        All other values by key, such as "ink" and "rooms", as JSON has them.
    """

    labels: LabelSet = field(default_factory=LabelSet)
    values: Mapping[str, Any] = field(default_factory=dict)


class CollectionForm:
    """Serialisation of labels and values in ``spotlab.json``; see `SharedFile`."""

    def empty(self) -> CollectionFile:
        """Return what is kept where there is no file."""
        return CollectionFile()

    def read(self, content: bytes, path: Path) -> Read[CollectionFile]:
        """Read all that makes sense."""
        values, problems = parse_object(content)
        labels, wrong = _labels(values.pop("labels", []))
        specs, unfit = read_specs(values.pop(_SPECS, []), _SPECS)
        problems += wrong + unfit
        for name in KINDS.keys() & values.keys():
            values[name], wrong = fit(values[name], KINDS[name], name)
            problems += wrong
        kept = {name: value for name, value in values.items() if value is not MISSING}
        label_set = LabelSet(labels, kept.pop("locked", False), specs)
        said = tuple(f"{path}: {problem}; it is left out" for problem in problems)
        return Read(CollectionFile(label_set, kept), said)

    def merge(
        self, base: CollectionFile, mine: CollectionFile, theirs: CollectionFile
    ) -> Merged[CollectionFile]:
        """Merge labels by name, and values by key."""
        labels = merge_label_sets(base.labels, mine.labels, theirs.labels)
        values, conflicts = merge_mappings(base.values, mine.values, theirs.values)
        remarks = [
            f"{NAME}: {'.'.join(map(str, conflict.keys))} was changed in another window, too: "
            "yours is kept"
            for conflict in conflicts
        ]
        return Merged(CollectionFile(labels.value, values), (*labels.remarks, *remarks))

    def write(self, value: CollectionFile, content: bytes, old: CollectionFile) -> bytes:
        """Return the file's new content; what else a label's entry has stays."""
        before, _ = parse_object(content)
        listed = before.get("labels")
        entries = {
            entry["name"]: entry
            for entry in (listed if isinstance(listed, list) else ())
            if isinstance(entry, dict) and isinstance(entry.get("name"), str)
        }
        order = {name: value.values[name] for name in before if name in value.values}
        made = {
            **order,
            **value.values,
            "labels": [
                {**_without_own(entries.get(label.name, {})), **entry_of(label)}
                for label in value.labels
            ],
        }
        if value.labels.attributes:
            made[_SPECS] = list(map(spec_entry, value.labels.attributes))
        if value.labels.locked:
            made["locked"] = True
        text = json.dumps(made, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
        return text.encode("utf-8", "surrogatepass")


def open_collection_file(folder: Path) -> SharedFile[CollectionFile]:
    """Return the shared file of a collection; nothing is read yet."""
    return SharedFile(folder / NAME, CollectionForm(), beside_data=True)


def read_labels(folder: Path) -> LabelSet:
    """Return the labels of the collection; none where there is no file.

    Raises
    ------
    BadInput
        The file is not what `write_labels` writes.
    """
    path = folder / NAME
    try:
        content = read_file(path)
    except FileNotFoundError:
        return LabelSet()
    except OSError as error:
        raise BadInput(path, f"cannot be read: {reason(error)}") from error
    if not content:
        return LabelSet()
    values, problems = parse_object(content)
    if problems:
        raise BadInput(path, problems[0], expected="labels")
    return labels_in(values, path)


def write_labels(folder: Path, labels: LabelSet) -> None:
    """Write the labels; what else is in the file stays.

    What makes no sense there is left out, and a file that has such values is kept under another
    name; where the labels are those that it has, it is not written.

    Raises
    ------
    NotSaved
        The file could not be written.
    BadInput
        It could not be read.
    """
    file = open_collection_file(folder)
    file.look()
    before = file.value
    file.set(CollectionFile(labels, before.values), before)
    file.write()


def entry_of(label: Label) -> dict[str, Any]:
    """Return a label as the file has it, without an empty description."""
    entry: dict[str, Any] = {"name": label.name, "colour": label.colour, "digit": label.digit}
    if label.description:
        entry["description"] = label.description
    if label.number is not None:
        entry["number"] = label.number
    if label.attributes:
        entry[_SPECS] = list(map(spec_entry, label.attributes))
    return entry


def spec_entry(spec: AttributeSpec) -> dict[str, Any]:
    """Return the rule for an attribute as the file has it, without what is as by default."""
    values = {each.name: getattr(spec, each.name) for each in fields(spec)}
    return {name: value for name, value in values.items()
            if name == "kind" or (value not in ("", (), None) and value is not False)
            or (name == "default" and value is False)}  # fmt: skip


def read_specs(entries: Any, place: str) -> tuple[Specs, list[str]]:
    """Read the rules for attributes.

    Parameters
    ----------
    entries : object
        Values as JSON has them.
    place : str
        Their place in the file, for messages.

    Returns
    -------
    specs : tuple of AttributeSpec
    problems : list of str
        A line with its place for each rule that is left out.

    Examples
    --------
    >>> read_specs([{"name": "state", "kind": "one of a list"}], "attributes")[1]
    ['attributes[0]: an attribute of the kind “one of a list” needs choices']
    """
    if not isinstance(entries, list):
        return (), [f"{place}: expected an array, not {json_kind(entries)}"]
    specs: dict[str, AttributeSpec] = {}
    problems = []
    for index, entry in enumerate(entries):
        try:
            read = convert(entry, AttributeEntry)
            spec = AttributeSpec(**{name: getattr(read, name) for name in read.__struct_fields__})
            if spec.name in specs:
                raise ValueError(f"there is an attribute {spec.name!r:.60} already")
            specs[spec.name] = spec
        except ValueError as error:  # of msgspec, too
            problem, _, inner = str(error).partition(" - at `$")
            problems.append(f"{place}[{index}]{inner.rstrip('`')}: {_plain(problem, entry)}")
    return tuple(specs.values()), problems


def _plain(problem: str, entry: Any) -> str:
    """A sentence of msgspec's, with what was expected."""
    if problem.startswith("Invalid enum value"):
        given = json.dumps(entry.get("kind"), ensure_ascii=False)
        return f"{given:.60} is no kind; expected {', '.join(AttributeKind)}"
    if "unknown field" in problem:
        return f"{problem[:1].lower()}{problem[1:]}; expected {', '.join(_SPEC_KEYS)}"
    return problem[:1].lower() + problem[1:]


def labels_in(content: dict[str, Any], path: Path) -> LabelSet:
    """The labels in the content of a file; ``path`` is named in errors."""
    entries = content.get("labels", [])
    if not isinstance(entries, list):
        raise BadInput(path, "labels is not a list", place="labels", expected="a list of objects")
    labels: list[Label] = []
    spelled: set[str] = set()  # labels that only look the same are one
    for index, entry in enumerate(entries):
        values = entry if isinstance(entry, dict) else {}
        name, colour, digit, description = (values.get(key, "") for key in _KEYS)
        texts = all(isinstance(value, str) for value in (name, colour, digit, description))
        if not (texts and name):
            expected = '{"name": …, "colour": "#rrggbb", "digit": "1"}'
            raise BadInput(path, "no label", place=f"labels[{index}]", expected=expected)
        specs, problems = read_specs(values.get(_SPECS, []), f"labels[{index}].{_SPECS}")
        _refuse(problems, path)
        number = values.get("number")
        number = number if isinstance(number, int | str) else None
        label = Label(name, colour, digit, description, number, specs)
        same = next((each for each in labels if each.name == label.name), None)
        if same is None or name in spelled:
            labels.append(label)  # one that is there twice is refused below
        spelled.add(name)
    general, problems = read_specs(content.get(_SPECS, []), _SPECS)
    _refuse(problems, path)
    try:
        return LabelSet(tuple(labels), content.get("locked") is True, general)
    except ValueError as error:
        raise BadInput(path, str(error), place="labels") from error


def _refuse(problems: Sequence[str], path: Path) -> None:
    if problems:
        place, _, problem = problems[0].partition(": ")
        problem, _, expected = problem.partition("; expected ")
        raise BadInput(path, problem, place=place, expected=expected or "the rule for an attribute")


def _labels(entries: Any) -> tuple[tuple[Label, ...], list[str]]:
    if not isinstance(entries, list):
        return (), [f"labels: expected an array, not {json_kind(entries)}"]
    labels: dict[str, Label] = {}
    problems: list[str] = []
    digits: set[str] = set()
    for index, entry in enumerate(entries):
        place = f"labels[{index}]"
        fitted, wrong = fit(entry, LabelEntry, place)
        problems += wrong
        if fitted is MISSING:
            continue
        read = convert(fitted, LabelEntry)
        name = composed(read.name)
        if name in labels:
            problems.append(f"{place}: there is a label {read.name!r:.60} already")
            continue
        digit = read.digit
        if digit in digits:
            problems.append(f"{place}.digit: {digit!r:.40} is the digit of another label")
            digit = ""
        digits |= {digit} - {""}
        specs, wrong = read_specs(entry.get(_SPECS, []), f"{place}.{_SPECS}")
        problems += wrong
        labels[name] = Label(name, read.colour, digit, read.description, read.number, specs)
    return tuple(labels.values()), problems


def _without_own(entry: dict[str, Any]) -> dict[str, Any]:
    """Entries of a label without those that are left out where they are empty."""
    return {name: value for name, value in entry.items() if name not in ("description", _SPECS)}


def read_values(folder: Path, key: str) -> dict[str, Any] | None:
    """Return what is kept under a key; None where nothing is, or what makes no sense.

    Raises
    ------
    BadInput
        The file cannot be read.
    """
    file = open_collection_file(folder)
    file.look()
    values = file.value.values.get(key)
    return values if isinstance(values, dict) else None


_KEY = "ink"


def read_ink(folder: Path) -> InkSettings | None:
    """The ink settings of a collection; None where none are kept or they make no sense.

    Raises
    ------
    BadInput
        The file is not JSON.
    """
    values = read_values(folder, _KEY)
    return None if values is None else settings_from_values(values)
