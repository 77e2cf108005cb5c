"""What functions are given: paths, one or several, and names among those that are known."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeGuard

from spotlab.errors import BadArgument, BadLines, shortened
from spotlab.formats.rows.csv_rows import BadLine

PathLike = str | os.PathLike[str]
Paths = PathLike | Sequence[PathLike]


def is_path(value: object) -> TypeGuard[PathLike]:
    """Whether a value names a file or folder.

    Parameters
    ----------
    value : object
    """
    return isinstance(value, str | os.PathLike)


def paths_of(value: Any, name: str, expected: str = "a path, or several") -> list[Path]:
    """One path or several as a list.

    Parameters
    ----------
    value : path or iterable of path
    name : str
        Of the argument, for messages.
    expected : str
        What else the argument may be, for messages.

    Raises
    ------
    BadArgument
        It is something else.

    Examples
    --------
    >>> [path.name for path in paths_of(["plans", "more/plan.png"], "pages")]
    ['plans', 'plan.png']
    """
    if is_path(value):
        return [Path(value)]
    given = list(value) if isinstance(value, Iterable) else [value]
    wrong = next((each for each in given if not is_path(each)), None)
    if wrong is not None:
        raise unusable(wrong, name, expected)
    return [Path(each) for each in given]


def unusable(value: object, name: str, expected: str) -> BadArgument:
    """The error that says what an argument is, and what was expected.

    Parameters
    ----------
    value : object
        What was given.
    name : str
        Of the argument.
    expected : str

    Examples
    --------
    >>> print(unusable(3, "truth", "a path"))
    truth is 3 (of type int); expected a path
    """
    text = shortened(" ".join(repr(value).split()), 80)
    return BadArgument(f"`{name}` is {text} (of type {type(value).__name__}); expected {expected}")


def check_choice(value: object, name: str, known: Collection[str]) -> None:
    """See that a text is one of those that are known.

    Parameters
    ----------
    value : object
    name : str
        Of the argument.
    known : collection of str

    Raises
    ------
    BadArgument
        It is not; the text says which there are.

    Examples
    --------
    >>> check_choice("fast", "method", ["a", "b"])
    Traceback (most recent call last):
    spotlab.errors.BadArgument: method is 'fast'; expected one of a, b
    """
    if value not in known:
        text = shortened(repr(value), 80)
        raise BadArgument(f"`{name}` is {text}; expected one of {', '.join(known)}")


def refuse(bad_lines: Iterable[BadLine | str], skip_bad_lines: bool) -> None:
    """See that there are no bad lines, unless they are to be skipped.

    Parameters
    ----------
    bad_lines : iterable of BadLine or str
    skip_bad_lines : bool

    Raises
    ------
    BadLines
        There are some.

    Examples
    --------
    >>> refuse(["line 3: rank is 'x'"], skip_bad_lines=True)
    """
    lines = [str(line) for line in bad_lines]
    if lines and not skip_bad_lines:
        raise BadLines(lines)


@contextmanager
def as_arguments() -> Iterator[None]:
    """Where a study says by a ValueError that a value is wrong, say it as everywhere here.

    Raises
    ------
    BadArgument
        In place of a ValueError.
    """
    try:
        yield
    except BadArgument:
        raise
    except ValueError as error:
        raise BadArgument(str(error)) from error
