"""The errors that spotlab raises on purpose; their text is meant for a person."""

from __future__ import annotations

import errno
import re
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path

_NAME = re.compile(r"`([a-z_]+)`")
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
    """Something a person can act on; its text is one line and is shown as it stands.

    Attributes
    ----------
    lines : tuple of str
        Every line or row that cannot be read, where these are what is wrong; see `BadLines`.
    """

    lines: tuple[str, ...] = ()


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


class InTheWay(BadInput):
    """Files that would be replaced, which nobody has allowed.

    Parameters
    ----------
    path : Path or str
        The file or the folder.
    problem : str
        What is there.

    Examples
    --------
    >>> error = InTheWay("out", "the folder has 2 files")
    >>> str(error)
    'out: the folder has 2 files; expected another place, or overwrite=True'
    >>> error.for_command()
    'out: the folder has 2 files; expected another place, or --overwrite'
    """

    _ALLOWED = "overwrite=True"

    def __init__(self, path: Path | str, problem: str) -> None:
        super().__init__(path, problem, expected=f"another place, or {self._ALLOWED}")

    def __reduce__(self) -> tuple[object, ...]:
        return InTheWay, (self.path, self.problem)

    def for_command(self) -> str:
        """The text with the option of a command."""
        return str(self).replace(self._ALLOWED, "--overwrite")


class BadArgument(SpotlabError, ValueError):
    """An argument of a function, or the option of a command that stands for it, cannot be used.

    Parameters
    ----------
    text : str
        What is wrong and what was expected, with names of arguments in backticks.

    Examples
    --------
    >>> error = BadArgument("`compare_at` is 0; expected a rank from 1 on")
    >>> str(error), error.for_command()
    ('compare_at is 0; expected a rank from 1 on', '--compare-at is 0; expected a rank from 1 on')
    """

    def __init__(self, text: str) -> None:
        self.text = text
        super().__init__(shortened(" ".join(_NAME.sub(r"\1", text).split()), 4 * LONGEST))

    def for_command(self, options: Mapping[str, str] | None = None) -> str:
        """Return the text with arguments as options of a command, which may be called otherwise."""
        known = options or {}
        return _NAME.sub(
            lambda name: known.get(name[1]) or "--" + name[1].replace("_", "-"), self.text
        )


class UnknownName(BadArgument, KeyError):
    """A page, run or query that is not there; the text says which there are.

    Examples
    --------
    >>> print(UnknownName.among("c", "run", ["a", "b"]))
    there is no run 'c'; there are a, b
    """

    __str__ = Exception.__str__

    @classmethod
    def among(cls, name: object, kind: str, known: Sequence[str]) -> UnknownName:
        """Make the error for a name, the kind of thing it names, and the names there are."""
        return cls(f"there is no {kind} {name!r}; there are {', '.join(known) or 'none'}")


class BadLines(SpotlabError):
    """Lines of files, or rows of tables, that cannot be read.

    Parameters
    ----------
    lines : sequence of str
        Each with its place and its problem.
    advice : str, optional
        What to do about them; by default to leave them out.

    Attributes
    ----------
    summary : str
        How many there are, and the first.
    skippable : bool
        Whether the rest can be taken.

    Examples
    --------
    >>> str(BadLines(["line 3: rank is 'x'", "line 7: points are missing"]))
    "2 bad lines, the first: line 3: rank is 'x'; strict=False takes the rest"
    """

    def __init__(self, lines: Sequence[str], advice: str = "") -> None:
        self.lines = tuple(lines)
        self.skippable = not advice
        self.advice = advice or "strict=False takes the rest"
        count = len(self.lines)
        number = "1 bad line: " if count == 1 else f"{count:,} bad lines, the first: "
        self.summary = f"{number if self.skippable else ''}{self.lines[0]}"
        super().__init__(f"{self.summary}; {self.advice}")


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


def counted(number: int, noun: str, nouns: str = "") -> str:
    """Return a number of things in words.

    Parameters
    ----------
    number : int
    noun : str
        Of one thing.
    nouns : str, optional
        Of several; by default with an s at its end, or "queries" of "query".

    Examples
    --------
    >>> counted(1, "region"), counted(1200, "region"), counted(0, "query")
    ('1 region', '1,200 regions', '0 queries')
    """
    several = nouns or (f"{noun[:-1]}ies" if noun.endswith("ry") else f"{noun}s")
    return f"{number:,} {noun if number == 1 else several}"


def isolated(text: str) -> str:
    """Return a text that does not turn the order of what stands around it, as Arabic would.

    Labels take the direction of a line from its first letter, also where that is isolated: a mark
    goes before such a text.

    Examples
    --------
    >>> isolated("a") == "\\u2068a\\u2069"
    True
    >>> isolated("\\u05d0") == "\\u200e\\u2068\\u05d0\\u2069"
    True
    """
    runs_left = any(unicodedata.bidirectional(sign) in ("R", "AL") for sign in text)
    mark = "\u200e" if runs_left else ""
    return f"{mark}\u2068{text}\u2069"
