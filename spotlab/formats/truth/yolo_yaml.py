"""``data.yaml`` of YOLO: what is read of it, and how it is written.

Such a file says where the images of each part are and what the classes are called. Only these few
keys matter, so only as much of YAML is understood as they need: texts, numbers, lists and one level
of ``key: value``, in a line or in a block. Other keys, such as a script to download the set, are
passed over.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from spotlab import __version__
from spotlab.errors import BadInput
from spotlab.formats.rows.json_values import parse_json
from spotlab.formats.rows.numbers import whole_number
from spotlab.formats.rows.text_files import read_text
from spotlab.formats.truth.format import distinct_names

PARTS = ("train", "val", "test")
_KNOWN = (*PARTS, "path", "names", "nc", "kpt_shape")
_KEY = re.compile(
    r"""(?P<key>"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s#'"\[\]{}][^:]*?)\s*:(?:\s+(?P<rest>.*))?"""
)
_ITEM = re.compile(r"""\s*("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^,]*?)\s*(?:,|$)""")


@dataclass(frozen=True)
class DataYaml:
    """Content read from a file.

    Attributes
    ----------
    names : tuple of str
        The classes in the order of their numbers, each once.
    images : mapping of str to tuple of str
        Of train, val and test: folders of images, or lists of images, as they are written.
    path : str
        The folder that these are in; empty where it is the file's own.
    keypoints : int
        Numbers that each line has after its box, of poses; 0 where there are none.
    """

    names: tuple[str, ...]
    images: Mapping[str, tuple[str, ...]]
    path: str = ""
    keypoints: int = 0


def looks_like_yaml(head: bytes) -> bool:
    """Tell whether a file that begins like this names classes and a part of a set."""
    lines = head.decode("utf-8", "replace").splitlines()
    keys = {
        line.split(":")[0].strip("\"' ") for line in lines if line[:1] not in " #-" and ":" in line
    }
    return "names" in keys and bool({*PARTS, "path", "nc"} & keys)


def read_yaml(path: Path) -> DataYaml:
    """Read the file.

    Raises
    ------
    BadInput
        The names of classes are missing, or a value is not what it has to be.
    """
    values = _values(read_text(path), path)
    names = _names(values.get("names"), path)
    images = {part: _places(values[part], part, path) for part in PARTS if values.get(part)}
    shape = values.get("kpt_shape") or [0, 0]
    given = shape if isinstance(shape, list) and len(shape) == 2 else ["", ""]
    points, values_each = (whole_number(str(side)) for side in given)
    if points is None or values_each is None:
        raise BadInput(path, "kpt_shape is not a shape", place="kpt_shape", expected="[17, 3]")
    root = values.get("path") or ""
    return DataYaml(names, images, str(root), points * values_each)


def _names(value: Any, path: Path) -> tuple[str, ...]:
    expected = "names: [sofa, chair], or a line 0: sofa for each class"
    if isinstance(value, dict):
        numbered: dict[int, str] = {}
        for key, name in value.items():
            number = whole_number(key)
            if number is None:
                raise BadInput(path, f"the class {key[:40]!r} is no number", place="names",
                               expected=expected)  # fmt: skip
            numbered[number] = str(name)
        count = max(numbered, default=-1) + 1
        if count > 10 * len(numbered) + 1000:
            raise BadInput(path, f"the class number {count - 1} is too high", place="names",
                           expected=expected)  # fmt: skip
        return tuple(distinct_names([numbered.get(number, "") for number in range(count)]))
    if isinstance(value, list) and value:
        return tuple(distinct_names([str(name) for name in value]))
    raise BadInput(path, "the names of classes are missing", place="names", expected=expected)


def _places(value: Any, part: str, path: Path) -> tuple[str, ...]:
    if isinstance(value, dict):
        raise BadInput(path, f"{part} is not a path", place=part, expected="a folder of images")
    return tuple(str(item) for item in (value if isinstance(value, list) else [value]))


def _values(text: str, path: Path) -> dict[str, Any]:
    """The values of the keys that matter; the lines of others are passed over."""
    lines = text.splitlines()
    values: dict[str, Any] = {}
    index = 0
    while index < len(lines):
        number, line = index + 1, _plain(lines[index])
        index += 1
        if not line or line.startswith(("---", "...", "%")):
            continue
        found = _KEY.fullmatch(line) if not line[0].isspace() else None
        block = []
        while index < len(lines) and _belongs(lines[index]):
            block.append(lines[index])
            index += 1
        if found is None:
            raise BadInput(path, f"{line.strip()[:40]!r} is no key", place=f"line {number}",
                           expected="key: value")  # fmt: skip
        key, rest = str(_scalar(found["key"])), (found["rest"] or "").strip()
        if key in _KNOWN:
            values[key] = _value(rest, block, path, number)
    return values


def _belongs(line: str) -> bool:
    """Tell whether a line continues the value of the key above it."""
    return not line.strip() or line[0].isspace() or line.startswith(("- ", "]", "}")) or line == "-"


def _plain(line: str) -> str:
    """The line without its comment and the blanks at its end."""
    quote, before = "", " "
    for index, character in enumerate(line):
        if quote:
            if character == quote and not (quote == '"' and before == "\\"):
                quote = ""
        elif character in "\"'" and before in " \t[{,:-":
            quote = character
        elif character == "#" and before in " \t":
            return line[:index].rstrip()
        before = " " if before == character == "\\" else character
    return line.rstrip()


def _value(rest: str, block: Sequence[str], path: Path, number: int) -> Any:
    if rest[:1] in ("[", "{"):
        whole = " ".join([rest, *(_plain(line).strip() for line in block)]).strip()
        return _flow(whole, path, number)
    if rest:
        return "" if rest[0] in "|>&*!" else _scalar(rest)
    inner = [_plain(line) for line in block if _plain(line).strip()]
    if not inner:
        return None
    if inner[0].lstrip().startswith("-"):
        return [_scalar(line.strip()[1:].strip()) for line in inner if line.strip()[0] == "-"]
    pairs: dict[str, Any] = {}
    depth = len(inner[0]) - len(inner[0].lstrip())
    for line in inner:
        found = _KEY.fullmatch(line.strip())
        if len(line) - len(line.lstrip()) != depth or found is None:
            raise BadInput(path, f"{line.strip()[:40]!r} is not understood",
                           place=f"below line {number}", expected="0: sofa")  # fmt: skip
        pairs[str(_scalar(found["key"]))] = _scalar((found["rest"] or "").strip())
    return pairs


def _flow(text: str, path: Path, number: int) -> Any:
    """A list or a mapping in brackets."""
    closing = {"[": "]", "{": "}"}[text[0]]
    if not text.endswith(closing):
        raise BadInput(path, f"{text[:40]!r} does not end", place=f"line {number}",
                       expected=closing)  # fmt: skip
    items, at, inner = [], 0, text[1:-1].strip()
    while at < len(inner):
        found = _ITEM.match(inner, at)
        if found is None or found.end() == at:
            raise BadInput(path, f"{inner[at : at + 40]!r} is not understood",
                           place=f"line {number}", expected="values between commas")  # fmt: skip
        items.append(found[1])
        at = found.end()
    if closing == "]":
        return [_scalar(item) for item in items if item]
    pairs = {}
    for item in filter(None, items):
        found = _KEY.fullmatch(item)
        if found is None:
            raise BadInput(path, f"{item[:40]!r} is not understood", place=f"line {number}",
                           expected="0: sofa")  # fmt: skip
        pairs[str(_scalar(found["key"]))] = _scalar((found["rest"] or "").strip())
    return pairs


def _scalar(text: str) -> str:
    if len(text) >= 2 and text[0] == text[-1] == '"':
        try:
            return str(parse_json(text))
        except ValueError:
            return text[1:-1]
    if len(text) >= 2 and text[0] == text[-1] == "'":
        return text[1:-1].replace("''", "'")
    return "" if text in ("~", "null") else text


def yaml_text(names: Sequence[str], images: Mapping[str, str]) -> bytes:
    """The file for these classes and folders of images.

    Examples
    --------
    >>> print(yaml_text(["sofa"], {"train": "images/train"}).decode())  # doctest: +ELLIPSIS
    # written by spotlab ...
    train: "images/train"
    names:
      0: "sofa"
    <BLANKLINE>
    """
    lines = [f"# written by spotlab {__version__}"]
    lines += [f"{part}: {json.dumps(place)}" for part, place in images.items()]
    lines.append("names:" if names else "names: {}")
    lines += [f"  {number}: {_quoted(name)}" for number, name in enumerate(names)]
    return ("\n".join(lines) + "\n").encode("utf-8", "replace")


def spelled(name: str) -> str:
    """A name as the file has it: what cannot be printed, which YAML refuses, is a blank."""
    return " ".join("".join(c if c.isprintable() else " " for c in name).split())


def _quoted(name: str) -> str:
    """The name in quotes, of which YAML takes the same as JSON."""
    return json.dumps(spelled(name), ensure_ascii=False)
