"""The ``custom`` attribute of PAGE in the style of Transkribus: ``reading {index:0;} note {a:b;}``.

Only the group that is named is ever changed; everything around it stays byte for byte.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

GROUP = "spotlab"
_GROUP = re.compile(rf"(?<![^\s}}]){GROUP}\s*\{{([^}}]*)\}}")
_ESCAPED = re.compile(r"\\u([0-9a-fA-F]{4})")
_TO_ESCAPE = re.compile(r"[\\;:{}\"\x00-\x1f\x7f]|^ | $")


def escape(value: str) -> str:
    r"""Write what would end the value early as ``\uXXXX``, as Transkribus does.

    Examples
    --------
    >>> print(escape("a;b"))
    a\u003bb
    """
    return _TO_ESCAPE.sub(lambda match: f"\\u{ord(match.group()):04x}", value)


def unescape(value: str) -> str:
    """What `escape` was given."""
    if "\\" not in value:
        return value
    return _ESCAPED.sub(lambda match: chr(int(match.group(1), 16)), value)


def read_custom(custom: str) -> dict[str, str]:
    """Our keys and values.

    Examples
    --------
    >>> read_custom("structure {type:heading;} spotlab {primitive:hull; uncertain:true;}")
    {'primitive': 'hull', 'uncertain': 'true'}
    """
    found = _GROUP.search(custom) if GROUP in custom else None
    if not found:
        return {}
    pairs = (entry.partition(":") for entry in found.group(1).split(";") if ":" in entry)
    return {key.strip(): unescape(value.strip(" \t\r\n")) for key, _, value in pairs}


def write_custom(custom: str, values: Mapping[str, str | None]) -> str:
    """Set our keys; None takes one away, and a group without any goes.

    Examples
    --------
    >>> write_custom("structure {type:heading;}", {"uncertain": "true"})
    'structure {type:heading;} spotlab {uncertain:true;}'
    >>> write_custom("structure {type:heading;} spotlab {uncertain:true;}", {"uncertain": None})
    'structure {type:heading;}'
    """
    merged: dict[str, str | None] = {**read_custom(custom), **values}
    entries = [f"{key}:{escape(value)};" for key, value in merged.items() if value is not None]
    group = f"{GROUP} {{{' '.join(entries)}}}" if entries else ""
    found = _GROUP.search(custom)
    if found:
        before, after = custom[: found.start()], custom[found.end() :]
        if not group:
            return before.rstrip(" ") + after
        return before + group + after
    return f"{custom} {group}" if custom and group else custom or group
