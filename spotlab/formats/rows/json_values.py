"""JSON in and out: files taken apart with messages that say where, and results as JSON."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from spotlab.errors import BadInput
from spotlab.formats.rows.text_files import Remark, discard, read_text
from spotlab.representation import utf8, well_formed

_HALF = re.compile(rb"\\u[dD][89a-fA-F]")  # of a character, as JSON may write it; or a whole one
DEEPEST = 50  # values within values, of what is written again


def to_builtins(value: Any) -> Any:
    """Return what `json.dumps` takes, of dataclasses, enumerations, mappings, sequences and arrays.

    A dataclass becomes an object of its fields; NaN and infinity, which JSON has not, become null.

    Examples
    --------
    >>> to_builtins({"mean": float("nan"), "values": np.array([0.5, np.inf]), "names": ("a", "b")})
    {'mean': None, 'values': [0.5, None], 'names': ['a', 'b']}
    """
    try:
        return json.loads(msgspec.json.encode(value, enc_hook=_from_numpy))
    except UnicodeEncodeError:  # a name of a file in another encoding
        plain = msgspec.to_builtins(value, enc_hook=_from_numpy, str_keys=True)
        return json.loads(msgspec.json.encode(_without_halves(plain)))


def _without_halves(value: Any) -> Any:
    """The value with each text as `well_formed` makes it."""
    if isinstance(value, str):
        return well_formed(value)
    if isinstance(value, dict):
        return {_without_halves(key): _without_halves(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_without_halves(each) for each in value]
    return value


def _from_numpy(value: Any) -> Any:
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} cannot be written as JSON")


def attributes(value: object, *names: str, **renamed: str) -> dict[str, Any]:
    """Attributes of a value by name, to be written as JSON; ``renamed`` gives some other names.

    Examples
    --------
    >>> attributes(1.5, "real", imaginary="imag")
    {'real': 1.5, 'imaginary': 0.0}
    """
    return {
        **{name: getattr(value, name) for name in names},
        **{name: getattr(value, own) for name, own in renamed.items()},
    }


def json_text(value: Any) -> str:
    """Return what `to_builtins` makes of a value, as it is written to files."""
    return json.dumps(to_builtins(value), ensure_ascii=False, indent=2)


def json_kind(value: object) -> str:
    """Say what kind of JSON value this is.

    Examples
    --------
    >>> json_kind(None), json_kind([]), json_kind({}), json_kind(True), json_kind("a"), json_kind(1)
    ('null', 'a list', 'an object', 'true or false', 'a text', 'a number')
    """
    kinds = (
        (bool, "true or false"), (str, "a text"), (list, "a list"), (dict, "an object"),
        (int | float, "a number"),
    )  # fmt: skip
    return next((said for kind, said in kinds if isinstance(value, kind)), "null")


def parse_json(source: str | bytes) -> Any:
    """Read JSON from anybody: whatever is wrong with it is a ValueError.

    Parameters
    ----------
    source : str or bytes

    Raises
    ------
    ValueError
        It is not JSON, not UTF-8, or nested so deeply that it is meant to do harm.

    Examples
    --------
    >>> parse_json('{"a": [1]}'), parse_json(r'"caf\\ud800"')
    ({'a': [1]}, 'caf?')
    """
    try:
        value = json.loads(source)
        escapes = utf8(source) if isinstance(source, str) else source
        return _without_halves(value) if _HALF.search(escapes) else value
    except RecursionError as error:
        raise ValueError("the values are nested too deeply") from error


def load_json(path: Path, expected: str, remark: Remark = discard) -> Any:
    """Return what is in a JSON file; every reader of JSON files is built on this.

    Parameters
    ----------
    path : Path
    expected : str
        What the file should hold, for messages.
    remark : callable, optional
        Takes what a person should know of how the text is kept, see `read_text`.

    Raises
    ------
    BadInput
        It is not JSON, or nested so deeply that it is meant to do harm.
    """
    source = read_text(path, remark)
    try:
        return parse_json(source)
    except json.JSONDecodeError as error:
        problem = f"not JSON: {error.msg}"
        raise BadInput(path, problem, place=f"line {error.lineno}", expected=expected) from error
    except ValueError as error:  # a number of thousands of digits, or nested too deeply
        deep = isinstance(error.__cause__, RecursionError)
        problem = f"not JSON: {error}" if deep else "not JSON"
        raise BadInput(path, problem, expected=expected) from error


def is_shallow(value: Any, deepest: int = DEEPEST) -> bool:
    """Tell whether nothing in the value is nested more deeply; it could not be written again.

    Examples
    --------
    >>> is_shallow({"a": [1]}, 2), is_shallow({"a": [1]}, 1)
    (True, False)
    """
    inner = [value]
    for _ in range(deepest + 1):
        parts = (each.values() if isinstance(each, dict) else each
                 for each in inner if isinstance(each, dict | list))  # fmt: skip
        inner = [part for each in parts for part in each]
        if not inner:
            return True
    return False


def in_json(value: str) -> str:
    """The text as a JSON file in UTF-8 can hold it: halves of characters become "?"."""
    return value.encode("utf-8", "replace").decode()


def load_object(path: Path, expected: str, remark: Remark = discard) -> dict[str, Any]:
    """The JSON object in a file, see `load_json`.

    Raises
    ------
    BadInput
        It is not JSON or not an object.
    """
    content = load_json(path, expected, remark)
    if not isinstance(content, dict):
        raise BadInput(path, f"holds {json_kind(content)}", expected=expected)
    return content


class Reader:
    """Reads values out of one file; every wrong one is a `BadInput` that names its place."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def fail(self, problem: str, place: str, expected: str) -> BadInput:
        """The error to raise."""
        return BadInput(self.path, problem, place=place, expected=expected)

    def list_of(self, owner: dict[str, Any], key: str, place: str = "") -> list[Any]:
        """A list, empty where the key is missing or null."""
        value = owner.get(key)
        value = [] if value is None else value
        if not isinstance(value, list):
            raise self.fail(f"{key} is {json_kind(value)}", place or key, "a list")
        return value

    def object(self, value: Any, place: str) -> dict[str, Any]:
        """An object."""
        if not isinstance(value, dict):
            raise self.fail(f"this is {json_kind(value)}", place, "an object")
        return value

    def text(self, owner: dict[str, Any], key: str, place: str) -> str:
        """A text, or a number as text; empty where the key is missing or null."""
        value = owner.get(key)
        if value is None:
            return ""
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise self.fail(f"{key} is {json_kind(value)}", place, "a text")
        return str(value)

    def number(self, value: Any, place: str) -> float:
        """A finite number."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.fail(f"{value!r:.40} is no number", place, "a number")
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if not abs(number) < 2**31:
            raise self.fail(f"{value!r:.40} is no coordinate", place, "a number within ±2³¹")
        return number

    def points(
        self, owner: dict[str, Any], place: str, key: str = "points"
    ) -> list[tuple[float, float]]:
        """The points under a key, each a list of x and y, or an object that has these."""
        points = []
        for index, given in enumerate(self.list_of(owner, key, place)):
            inner = f"{place}.{key}[{index}]"
            value = [given.get("x"), given.get("y")] if isinstance(given, dict) else given
            if not isinstance(value, list) or len(value) != 2:
                raise self.fail("the value is not a point", inner, "[x, y]")
            points.append((self.number(value[0], inner), self.number(value[1], inner)))
        return points

    def size(self, owner: dict[str, Any], keys: tuple[str, str], place: str) -> tuple[int, int]:
        """Width and height of a page, in px."""
        sizes = []
        for key in keys:
            value = int(self.number(owner.get(key), f"{place}.{key}"))
            if value <= 0:
                raise self.fail(f"{key} is {value}", place, "a number of px above 0")
            sizes.append(value)
        return sizes[0], sizes[1]
