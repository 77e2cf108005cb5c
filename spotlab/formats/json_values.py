"""Takes JSON files apart with messages that say where something is not as it should be."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from spotlab.errors import BadInput
from spotlab.formats.base import read_bytes


def load_object(path: Path, expected: str) -> dict[str, Any]:
    """The JSON object in a file.

    Raises
    ------
    BadInput
        It is not JSON or not an object.
    """
    source = read_bytes(path)
    try:
        content = json.loads(source)
    except json.JSONDecodeError as error:
        problem = f"not JSON: {error.msg}"
        raise BadInput(path, problem, place=f"line {error.lineno}", expected=expected) from error
    except (ValueError, RecursionError) as error:
        raise BadInput(path, "not JSON", expected=expected) from error
    if not isinstance(content, dict):
        raise BadInput(path, f"holds a {type(content).__name__}", expected=expected)
    return content


class Reader:
    """Reads values out of one file; every wrong one is a `BadInput` that names its place."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def fail(self, problem: str, place: str, expected: str) -> BadInput:
        """The error to raise."""
        return BadInput(self.path, problem, place=place, expected=expected)

    def list_of(self, owner: dict[str, Any], key: str, place: str = "") -> list[Any]:
        """A list, empty where the key is missing."""
        value = owner.get(key, [])
        if not isinstance(value, list):
            raise self.fail(f"{key} is a {type(value).__name__}", place or key, "a list")
        return value

    def object(self, value: Any, place: str) -> dict[str, Any]:
        """An object."""
        if not isinstance(value, dict):
            raise self.fail(f"this is a {type(value).__name__}", place, "an object")
        return value

    def text(self, owner: dict[str, Any], key: str, place: str) -> str:
        """A text, or a number as text; empty where the key is missing or null."""
        value = owner.get(key)
        if value is None:
            return ""
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise self.fail(f"{key} is a {type(value).__name__}", place, "a text")
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

    def size(self, owner: dict[str, Any], keys: tuple[str, str], place: str) -> tuple[int, int]:
        """Width and height of a page, in px."""
        sizes = []
        for key in keys:
            value = int(self.number(owner.get(key), f"{place}.{key}"))
            if value <= 0:
                raise self.fail(f"{key} is {value}", place, "a number of px above 0")
            sizes.append(value)
        return sizes[0], sizes[1]
