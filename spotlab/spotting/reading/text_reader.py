"""The interface of engines that read the text of a page; an engine is one value in one file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from spotlab.errors import SpotlabError
from spotlab.imaging.ink import Ink
from spotlab.progress import Progress
from spotlab.registry import discover

PACKAGE = "spotlab.spotting.reading"


@dataclass(frozen=True)
class TextReader:
    """A way to read pages, offered through the registry.

    Its functions are at the top level of a module, so that other processes can import them.

    Attributes
    ----------
    name, title : str
        For commands, and for people.
    read : callable
        Takes (H, W) bool ink, a language as the engine names it ("" for its default) and a
        `Progress`, and returns the text; lines end with a line feed. Raises `SpotlabError`.
    problem : callable
        Takes a language and returns a line for a person: why it cannot be read here, such as that a
        program is not installed; "" where it can.
    version : callable
        Returns the engine's version: texts that another version has read are not used again.
    """

    name: str
    title: str
    read: Callable[[Ink, str, Progress], str]
    problem: Callable[[str], str]
    version: Callable[[], str]


def text_readers() -> dict[str, TextReader]:
    """All engines by name, those of other packages included."""
    return discover(PACKAGE, TextReader)


def reader_of(name: str, language: str = "") -> TextReader:
    """Look up the engine of a name, which has to be installed and know the language.

    Parameters
    ----------
    name : str
    language : str
        As the engine names it; "" for its default.

    Raises
    ------
    SpotlabError
        There is none, or it cannot read here.

    Examples
    --------
    >>> reader_of("nobody")
    Traceback (most recent call last):
        ...
    spotlab.errors.SpotlabError: nothing reads texts by 'nobody'; there are tesseract
    """
    readers = text_readers()
    if name not in readers:
        raise SpotlabError(f"nothing reads texts by {name!r}; there are {', '.join(readers)}")
    problem = readers[name].problem(language)
    if problem:
        raise SpotlabError(problem)
    return readers[name]
