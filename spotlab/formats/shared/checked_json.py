"""JSON whose values are checked against types, each by itself: what is wrong is left out and said.

It is for the program's own files, which a person, another version or a disk may have changed.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import math
import os
import secrets
from collections.abc import Mapping
from dataclasses import is_dataclass
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import msgspec
from platformdirs import user_state_path

from spotlab.files import exists, read_file
from spotlab.formats.rows.files import BYTE_ORDER_MARK, lock, unlock
from spotlab.formats.rows.json_values import DEEPEST, json_kind

LARGEST = 2**63  # of whole numbers
_SHOWN = 40  # characters of a value in messages


class _Wrong:
    """Stands for a number that JSON has not."""

    def __init__(self, text: str) -> None:
        self.text = text


MISSING: Any = object()
"""What `fit` gives where nothing of a value is left."""


def parse_object(content: bytes, *, file_names: bool = False) -> tuple[dict[str, Any], list[str]]:
    """Parse an object and leave out what no other program could read or write again.

    That is infinite and huge numbers, NaN, halves of characters, and what is nested too deeply.

    Parameters
    ----------
    content : bytes
    file_names : bool
        Whether texts may have bytes that are not UTF-8, as Python has them in names of files.

    Returns
    -------
    values : dict
        Empty if the content is not a JSON object.
    problems : list of str
        What was left out, with its place in the file.

    Examples
    --------
    >>> parse_object(b'{"a": 1, "b": {"c": 1e999, "d": 2}}')
    ({'a': 1, 'b': {'d': 2}}, ['b.c: 1e999 is no number that can be used'])
    >>> parse_object(b'{"a": 1')
    ({}, ["not JSON: Expecting ',' delimiter, line 1"])
    >>> parse_object(b"[1]")
    ({}, ['not a JSON object, but a list'])
    """
    try:
        value = json.loads(
            content.removeprefix(BYTE_ORDER_MARK).decode(),
            parse_float=_parse_float,
            parse_int=_parse_int,
            parse_constant=_Wrong,
        )
    except json.JSONDecodeError as error:
        return {}, [f"not JSON: {error.msg}, line {error.lineno}"]
    except RecursionError:
        return {}, ["not JSON: the values are nested too deeply"]
    except ValueError:
        return {}, ["not JSON: the text is not UTF-8"]
    if not isinstance(value, dict):
        return {}, [f"not a JSON object, but {json_kind(value)}"]
    problems: list[str] = []
    errors = "surrogateescape" if file_names else "strict"
    return _without_wrong(value, "", 0, problems, errors), problems


def _parse_float(text: str) -> object:
    number = float(text)
    return number if math.isfinite(number) else _Wrong(text)


def _parse_int(text: str) -> object:
    if len(text) > len(str(LARGEST)) or abs(int(text)) >= LARGEST:
        return _Wrong(text)
    return int(text)


def _without_wrong(value: Any, place: str, depth: int, problems: list[str], errors: str) -> Any:
    if isinstance(value, _Wrong):
        problems.append(f"{place}: {_shown(value.text)} is no number that can be used")
        return MISSING
    if isinstance(value, str) and not _is_writable(value, errors):
        problems.append(f"{place}: {ascii(value)[:_SHOWN]} is no text that can be written")
        return MISSING
    if not isinstance(value, dict | list):
        return value
    if depth > DEEPEST:
        problems.append(f"{place[:_SHOWN]}: the values are nested too deeply")
        return MISSING
    if isinstance(value, list):
        items = (
            _without_wrong(item, f"{place}[{index}]", depth + 1, problems, errors)
            for index, item in enumerate(value)
        )
        return [item for item in items if item is not MISSING]
    kept = {}
    for name, item in value.items():
        if not _is_writable(name, errors):
            problems.append(f"{ascii(name)[:_SHOWN]} is no name that can be written")
            continue
        found = _without_wrong(item, _joined(place, name), depth + 1, problems, errors)
        if found is not MISSING:
            kept[name] = found
    return kept


def _is_writable(text: str, errors: str) -> bool:
    try:
        text.encode(errors=errors)
    except UnicodeEncodeError:
        return False
    return True


def fit(value: Any, kind: Any, place: str) -> tuple[Any, list[str]]:
    """Leave out of a value what is not of a type, each part by itself.

    Parameters
    ----------
    value : object
        Values as JSON has them.
    kind : type
        What `msgspec` can convert to: plain types, containers, enumerations, dataclasses and
        structs. What an object's type does not name is left as it is.
    place : str
        The value's place in the file, for messages.

    Returns
    -------
    value : object
        What can be converted; `MISSING` if nothing can.
    problems : list of str
        What was left out.

    Examples
    --------
    >>> fit({"a": [1, "x"], "b": 3}, dict[str, list[int]], "pages")
    ({'a': [1]}, ['pages.a[1]: expected an int, not "x"', 'pages.b: expected an array, not 3'])
    >>> fit("x", int, "share") == (MISSING, ['share: expected an int, not "x"'])
    True
    """
    try:
        msgspec.convert(value, kind)
        return value, []
    except (msgspec.ValidationError, ValueError, TypeError, OverflowError) as error:
        problem = str(error)
    plain = get_args(kind)[0] if get_origin(kind) is Annotated else kind
    origin, arguments = get_origin(plain), get_args(plain)
    if isinstance(value, Mapping) and origin is dict:
        parts = {name: (item, arguments[1], _joined(place, name)) for name, item in value.items()}
        fitted, problems = _fit_parts(parts)
        return fitted, problems
    if isinstance(value, list) and (origin is list or (origin is tuple and arguments[-1] is ...)):
        numbered = {
            index: (item, arguments[0], f"{place}[{index}]") for index, item in enumerate(value)
        }
        fitted, problems = _fit_parts(numbered)
        return list(fitted.values()), problems
    if isinstance(value, Mapping) and isinstance(plain, type) and _has_fields(plain):
        return _fit_fields(value, plain, place)
    return MISSING, [f"{place}: {_problem(problem, value)}".removeprefix(": ")]


def _fit_parts(parts: Mapping[Any, tuple[Any, Any, str]]) -> tuple[dict[Any, Any], list[str]]:
    kept, problems = {}, []
    for key, (item, kind, place) in parts.items():
        part, wrong = fit(item, kind, place)
        problems += wrong
        if part is not MISSING:
            kept[key] = part
    return kept, problems


def _has_fields(kind: type) -> bool:
    return is_dataclass(kind) or issubclass(kind, msgspec.Struct)


def _fit_fields(value: Mapping[str, Any], kind: type, place: str) -> tuple[Any, list[str]]:
    """Leave out fields that are wrong by themselves; all, if the rest is wrong together."""
    kinds = get_type_hints(kind, include_extras=True)
    known = {
        name: (item, kinds[name], _joined(place, name))
        for name, item in value.items()
        if name in kinds
    }
    kept, problems = _fit_parts(known)
    kept = {
        name: kept.get(name, item)
        for name, item in value.items()
        if name in kept or name not in known
    }
    for name in known.keys() & kept.keys():
        try:
            msgspec.convert({name: kept[name]}, kind)
        except (msgspec.ValidationError, ValueError, TypeError, OverflowError) as error:
            if "missing required field" not in str(error):
                problems.append(f"{_joined(place, name)}: {_problem(str(error), kept[name])}")
                del kept[name]
    try:
        msgspec.convert(kept, kind)
    except (msgspec.ValidationError, ValueError, TypeError, OverflowError) as error:
        return MISSING, [*problems, f"{place}: {_problem(str(error), value)}".removeprefix(": ")]
    return kept, problems


def _joined(place: str, name: str) -> str:
    return f"{place}.{name}" if place else str(name)


def _shown(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _problem(problem: str, value: Any) -> str:
    """A sentence of msgspec's, as others stand here."""
    text = problem.split(" - at `", maxsplit=1)[0]
    if text.startswith("Expected `") and ", got `" in text:
        expected = text.removeprefix("Expected `").split("`, got `")[0]
        article = "an" if expected[0] in "aeiou" else "a"
        try:
            shown = json.dumps(value, ensure_ascii=False)
        except (TypeError, ValueError):
            shown = type(value).__name__
        return f"expected {article} {expected}, not {_shown(shown)}"
    return text[:1].lower() + text[1:]


_SUFFIX = ".json"


class UnsavedChanges:
    """Changes that a program could not write to one file.

    Parameters
    ----------
    path : Path
        The file that lacks the changes.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: Path | None = None
        self._handle: int | None = None
        self._value: object = None
        self._taken: list[tuple[Path, int]] = []  # of killed programs, held by this one

    def holds(self, value: object) -> bool:
        """Tell whether this value was kept last."""
        return self._file is not None and (self._value is value or self._value == value)

    def keep(self, before: bytes, after: bytes, of: object) -> None:
        """Keep a change instead of what was kept before, if that is possible.

        Parameters
        ----------
        before, after : bytes
            Content of the file without and with the change.
        of : object
            The value that ``after`` says; see `holds`.
        """
        texts = [base64.b64encode(each).decode() for each in (before, after)]
        path = os.fsencode(os.path.realpath(self._path))
        kept = {"path": os.fsdecode(path), "before": texts[0], "after": texts[1]}
        content = json.dumps(kept).encode()
        file = self._file or _folder() / f"{_digest(self._path)}-{secrets.token_hex(6)}{_SUFFIX}"
        temporary = file.with_suffix(".tmp")
        handle = None
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            handle = os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
            lock(handle)
            with os.fdopen(os.dup(handle), "wb") as stream:
                stream.write(content)
                stream.flush()
                os.fsync(handle)
            os.replace(temporary, file)
        except OSError:
            if handle is not None:
                os.close(handle)
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            return
        if self._handle is not None:
            os.close(self._handle)
        self._file, self._handle, self._value = file, handle, of
        self._remove_taken()

    def remove(self) -> None:
        """Keep nothing any more: all is written."""
        self._remove_taken()
        if self._file is not None and self._handle is not None:
            _remove(self._file, self._handle)
        self._file = self._handle = self._value = None

    def take_over(self) -> list[tuple[bytes, bytes]]:
        """Return what killed programs have kept, before and after.

        It stays until `keep` or `remove`.
        """
        found = []
        with contextlib.suppress(OSError):
            for file in sorted(_folder().glob(f"{_digest(self._path)}-*{_SUFFIX}")):
                if file == self._file or any(file == other for other, _ in self._taken):
                    continue
                handle = _hold(file)
                if handle is None:
                    continue
                self._taken.append((file, handle))
                with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
                    kept = json.loads(read_file(file))
                    both = (base64.b64decode(kept[name]) for name in ("before", "after"))
                    found.append((next(both), next(both)))
        return found

    def _remove_taken(self) -> None:
        for file, handle in self._taken:
            _remove(file, handle)
        self._taken = []


def _folder() -> Path:
    return user_state_path("spotlab") / "unsaved"


def _digest(path: Path) -> str:
    return hashlib.sha256(os.fsencode(os.path.realpath(path))).hexdigest()[:32]


def _hold(file: Path) -> int | None:
    """The open file, if no other program holds it."""
    try:
        handle = os.open(file, os.O_RDWR)
    except OSError:
        return None
    if lock(handle) and exists(file):
        return handle
    os.close(handle)
    return None


def _remove(file: Path, handle: int) -> None:
    """Remove a file that this program holds."""
    if os.name != "nt":  # there it can only be removed when it is closed
        with contextlib.suppress(OSError):
            os.unlink(file)
    unlock(handle)
    os.close(handle)
    with contextlib.suppress(OSError):
        os.unlink(file)
