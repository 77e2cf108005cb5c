"""Values and texts for people: short forms, and no signs that a terminal or window would obey.

Files, and the errors about them, keep their text as it is. It is quoted once, where it leaves the
program: on the console (`spotlab.cli.console`) and in the window (`spotlab.gui.kit.text`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import PurePath
from typing import Any

LONGEST = 60  # characters of a field
FEW = 4  # values of a tuple that are shown


def short_repr(value: Any) -> str:
    """A dataclass with its fields, each in few characters, whatever it holds.

    Classes that hold arrays, or any number of values, use it as ``__repr__ = short_repr``.

    Parameters
    ----------
    value : dataclass

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Names:
    ...     names: tuple[str, ...]
    ...     count: int
    ...     __repr__ = short_repr
    >>> Names(("a", "b"), 2), Names(("a",) * 1000, 1000)
    (Names(names=('a', 'b'), count=2), Names(names=<1,000 of str>, count=1000))
    """
    shown = [field for field in fields(value) if field.repr]
    told = (f"{field.name}={brief(getattr(value, field.name))}" for field in shown)
    return f"{type(value).__name__}({', '.join(told)})"


def brief(value: Any) -> str:
    """A value in at most 60 characters.

    Parameters
    ----------
    value : object

    Examples
    --------
    >>> import numpy as np
    >>> brief(np.zeros((3, 2))), brief({"a": 1}), brief(b"abc"), brief("x" * 100)[:8]
    ('<(3, 2) float64>', "{'a': 1}", '<3 bytes>', "'xxxxxxx")
    """
    if hasattr(value, "shape") and hasattr(value, "dtype"):
        return f"<{value.shape} {value.dtype}>" if value.shape else repr(value)
    if isinstance(value, bytes | bytearray):
        return f"<{len(value):,} bytes>"
    if isinstance(value, Mapping | Set | tuple | list):
        return _several(value)
    if is_dataclass(value):
        return f"{type(value).__name__}(…)"
    if value is None or isinstance(value, bool | int | float | str | Enum | PurePath | type):
        return _cut(repr(value))
    return f"<{type(value).__name__}>"


def _several(values: Any) -> str:
    """Few simple values as they are, others by their number and kind."""
    parts = [*values.values(), *values] if isinstance(values, Mapping) else list(values)
    if len(values) <= FEW and all(isinstance(part, bool | int | float | str) for part in parts):
        text = repr(values)
        if len(text) <= LONGEST:
            return text
    if not len(values):
        return repr(values)
    kinds = sorted({type(part).__name__ for part in parts[: len(values)]})
    return f"<{len(values):,} of {_cut(' or '.join(kinds))}>"


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 2]} …"


# control characters of both sets; line and paragraph separators; what turns the direction of
# writing; and halves of characters, which stand for bytes of file names that are no text
_CONTROLS = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb\ud800-\udfff]"
)


_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def visible(text: str, kept: str = "") -> str:
    r"""Write each control character of a text as an escape sequence, as JSON and Python know it.

    Parameters
    ----------
    text : str
    kept : str
        Control characters that stay as they are.

    Examples
    --------
    >>> print(visible("plan\x1b[2J\nsofa \u202efosa"))
    plan\u001b[2J\nsofa \u202efosa
    >>> visible("Grüße, 日本") == "Grüße, 日本"
    True
    """

    def escape(found: re.Match[str]) -> str:
        sign = found[0]
        return sign if sign in kept else _SHORT.get(sign, f"\\u{ord(sign):04x}")

    return _CONTROLS.sub(escape, text)


def well_formed(text: str) -> str:
    """Replace halves of characters, which no text in UTF-8 has, by question marks.

    Names of files have them where they are in another encoding.

    Parameters
    ----------
    text : str

    Examples
    --------
    >>> well_formed("caf\\udce9, café")
    'caf?, café'
    """
    return utf8(text).decode()


def utf8(text: str) -> bytes:
    """Encode a text for a file, as `well_formed` makes it.

    Parameters
    ----------
    text : str

    Examples
    --------
    >>> utf8("caf\\udce9")
    b'caf?'
    """
    return text.encode("utf-8", "replace")
