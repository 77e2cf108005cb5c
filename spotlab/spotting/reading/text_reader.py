"""What reads the text of a page whose ink is known; an engine is one value in one file here."""

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
    """A way to read pages, found through the registry.

    Its functions are at the top level of a module, so that other processes find them.

    Attributes
    ----------
    name, title : str
        What commands and what people call it.
    read : callable
        The text of an (H, W) bool page, True where there is ink, in a language as the engine names
        it, "" for its own default; lines end with a line feed. Raises `SpotlabError`.
    problem : callable
        Why a language cannot be read here, in a line for a person, such as that a program is not
        installed; "" where it can.
    version : callable
        Of what reads: texts that another version has read are not used again.
    """

    name: str
    title: str
    read: Callable[[Ink, str, Progress], str]
    problem: Callable[[str], str]
    version: Callable[[], str]


def text_readers() -> dict[str, TextReader]:
    """All engines by name, other people's included."""
    return discover(PACKAGE, TextReader)


def reader_of(name: str, language: str = "") -> TextReader:
    """The engine of this name, which is there and knows the language.

    Raises
    ------
    SpotlabError
        There is none, or it cannot read here.
    """
    readers = text_readers()
    if name not in readers:
        raise SpotlabError(f"nothing reads texts by {name!r}; there are {', '.join(readers)}")
    problem = readers[name].problem(language)
    if problem:
        raise SpotlabError(problem)
    return readers[name]
