"""Values and texts for people: short forms, and no signs that a terminal or window would obey.

Files, and the errors about them, keep their text as it is. It is quoted once, where it leaves the
program: on the console (`spotlab.cli.console`) and in the window (`spotlab.gui.kit.text`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Set
from dataclasses import fields, is_dataclass
from decimal import ROUND_FLOOR, Decimal
from enum import Enum
from pathlib import PurePath
from typing import Any

from spotlab.errors import isolated

LONGEST = 60  # characters of a field
FEW = 4  # values of a tuple that are shown
LARGEST, DECIMALS = 1e9, 18  # of thresholds that are shortened


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


def short_threshold(value: float, below: float = -math.inf) -> float:
    """The number of fewest decimals that cuts where a threshold cuts.

    Written by `written_threshold` and read again, it keeps what has this score, and nothing else.

    Parameters
    ----------
    value : float
        The lowest score that stays.
    below : float
        The next lower score, which goes; by default there is none, and a tenth of a per mille
        below ``value`` is allowed.

    Returns
    -------
    float
        Above ``below``, and ``value`` at most.

    Examples
    --------
    >>> short_threshold(0.641174, 0.64116), short_threshold(0.641174, 0.58), short_threshold(0.7)
    (0.64117, 0.6, 0.7)
    """
    if not 0 < abs(value) < LARGEST:
        return value
    exact, nothing_below = Decimal(repr(float(value))), value - abs(value) / 10_000
    below = nothing_below if below == -math.inf else below
    for decimals in range(DECIMALS):
        floor = float(exact.quantize(Decimal(1).scaleb(-decimals), ROUND_FLOOR))
        if floor > below:
            return floor
    return value


def written_threshold(value: float) -> str:
    """A threshold with all of its digits: read again, it is the same number.

    Examples
    --------
    >>> written_threshold(0.64117), written_threshold(20.0), written_threshold(-0.0)
    ('0.64117', '20', '0')
    """
    return repr(float(value) + 0.0).removesuffix(".0")


def decimals(value: float) -> int:
    """Count the digits after the point that a number has when it is written in full.

    Examples
    --------
    >>> decimals(0.125), decimals(20.0), decimals(1e-7)
    (3, 0, 7)
    """
    exponent = Decimal(written_threshold(value)).as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


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
_ISOLATED = re.compile("\u200e?\u2068([^\u2066-\u2069]*)\u2069")


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

    What is isolated as a whole, as `spotlab.errors.isolated` does, turns nothing around it:

    >>> visible("\u2068a\u202e\u2069 \u2068b") == "\u2068a\\u202e\u2069 \\u2068b"
    True
    """

    def escape(found: re.Match[str]) -> str:
        sign = found[0]
        return sign if sign in kept else _SHORT.get(sign, f"\\u{ord(sign):04x}")

    parts = _ISOLATED.split(text)  # what is isolated has odd numbers
    escaped = [_CONTROLS.sub(escape, part) for part in parts]
    return "".join(isolated(part) if number % 2 else part for number, part in enumerate(escaped))


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
