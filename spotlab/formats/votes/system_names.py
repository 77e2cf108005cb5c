"""Names of systems as folders and files have them, without what all of them share."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

_PARTS = re.compile(r"[-_. ]+")
FACTOR = "first part of the name"


def short_names(names: Sequence[str]) -> tuple[str, ...]:
    """The names without the parts that all begin or end with; as they are where that is too much.

    Parts are divided by ``-``, ``_``, dots or spaces.

    Examples
    --------
    >>> short_names(["OCR-TESS-frk-LINE", "OCR-TESS-deu-LINE", "OCR-OCRO-frk-LINE"])
    ('TESS-frk', 'TESS-deu', 'OCRO-frk')
    >>> short_names(["run-a"]), short_names(["run", "run-2"])
    (('run-a',), ('run', 'run-2'))
    """
    if len(names) < 2:
        return tuple(names)
    parts = [_PARTS.split(name) for name in names]
    first = _shared(parts)
    last = _shared([own[first:][::-1] for own in parts])
    if any(len(own) <= first + last for own in parts):
        return tuple(names)
    short = tuple(name[_start(name, first) : _end(name, last)] for name in names)
    return short if len(set(short)) == len(set(names)) and all(short) else tuple(names)


def _shared(parts: Sequence[Sequence[str]]) -> int:
    """How many parts all begin with."""
    columns = zip(*parts, strict=False)
    return sum(1 for _ in takewhile(lambda column: len(set(column)) == 1, columns))


def _start(name: str, parts: int) -> int:
    ends = [match.end() for match in _PARTS.finditer(name)]
    return ends[parts - 1] if parts else 0


def _end(name: str, parts: int) -> int:
    starts = [match.start() for match in _PARTS.finditer(name)]
    return starts[-parts] if parts else len(name)


def factors_of(names: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """What the names' first parts tell, where they are groups: several, not all different.

    Examples
    --------
    >>> factors_of(["TESS-frk", "TESS-deu", "OCRO-frk"])
    {'first part of the name': ('TESS', 'TESS', 'OCRO')}
    >>> factors_of(["a-1", "b-1"])
    {}
    """
    first = tuple(_PARTS.split(name)[0] for name in names)
    return {FACTOR: first} if 1 < len(set(first)) < len(first) else {}
