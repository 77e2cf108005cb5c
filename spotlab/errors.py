"""The errors that spotlab raises on purpose; their text is meant for a person."""

from __future__ import annotations

import errno
from pathlib import Path

LONGEST = 300  # characters of what a message says; what files hold can be of any length


def shortened(text: str, longest: int = LONGEST) -> str:
    """The text, with its middle left out where it is too long for a message.

    Examples
    --------
    >>> shortened("a" * 400, 9)
    'aaaaa … a'
    """
    if len(text) <= longest:
        return text
    tail = max(longest // 4 - 1, 1)
    return f"{text[: longest - tail - 3]} … {text[-tail:]}"


class SpotlabError(Exception):
    """Something a person can act on; its text is one line and is shown as it stands."""


class BadInput(SpotlabError):
    """A file that is not what it has to be.

    Parameters
    ----------
    path : Path or str
        The file.
    problem : str
        What is wrong with it.
    place : str, optional
        Where in the file: a line, an element, a row.
    expected : str, optional
        What was expected there.

    Examples
    --------
    >>> str(BadInput("run.csv", "rank is 'x'", place="line 3", expected="a whole number"))
    "run.csv, line 3: rank is 'x'; expected a whole number"
    """

    def __init__(
        self, path: Path | str, problem: str, *, place: str = "", expected: str = ""
    ) -> None:
        self.path = Path(path)
        self.problem = problem = shortened(problem)
        self.place = place = shortened(place)
        self.expected = expected = shortened(expected, 4 * LONGEST)
        where = f"{path}, {place}" if place else f"{path}"
        super().__init__(f"{where}: {problem}" + (f"; expected {expected}" if expected else ""))

    def __reduce__(self) -> tuple[object, ...]:
        # An exception with keyword arguments does not survive a process pool by itself.
        return (_bad_input, (self.path, self.problem, self.place, self.expected))


def _bad_input(path: Path, problem: str, place: str, expected: str) -> BadInput:
    return BadInput(path, problem, place=place, expected=expected)


class NotSaved(SpotlabError):
    """A file could not be written; what was there before is untouched."""


class Cancelled(Exception):
    """The caller does not want the result any more."""


def reason(error: OSError) -> str:
    """Say in a few words why the system refused.

    Examples
    --------
    >>> import errno
    >>> reason(OSError(errno.ENOSPC, "No space left on device"))
    'the disk is full'
    """
    known = {
        errno.ENOSPC: "the disk is full",
        errno.EDQUOT: "your disk quota is used up",
        errno.EROFS: "the file system is read-only",
        errno.EACCES: "there is no permission",
        errno.EPERM: "there is no permission",
        errno.ENOENT: "it does not exist",
        errno.EISDIR: "it is a folder",
        errno.EFBIG: "the file would be too large",
    }
    return known.get(error.errno or 0, error.strerror or str(error))
