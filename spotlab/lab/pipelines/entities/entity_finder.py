"""The interface of finders of named entities; a finder is one value in one file here."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from spotlab.errors import BadInput, SpotlabError
from spotlab.formats.rows.text_files import read_text
from spotlab.registry import discover, modules_of

GROUP = "spotlab.spotting.entities"
LISTED = "listed"  # the kind of a name for which the gazetteer gives none


@dataclass(frozen=True)
class Entity:
    """A part of a text that names something.

    Attributes
    ----------
    text : str
        Its words, with one space between them.
    kind : str
        "name", "person", "date", or what the gazetteer says.
    start, end : int
        Characters of the text.
    """

    text: str
    kind: str
    start: int
    end: int


@dataclass(frozen=True)
class Gazetteer:
    """Names that are known beforehand; make one with `read_gazetteer`.

    Attributes
    ----------
    kinds : mapping of tuple of str to str
        The kind of each name, by its words in lower case.
    """

    kinds: dict[tuple[str, ...], str]

    @property
    def longest(self) -> int:
        """The number of words of the longest name."""
        return max(map(len, self.kinds), default=0)


@dataclass(frozen=True)
class EntityFinder:
    """A way to find named entities, offered through the registry.

    Attributes
    ----------
    name, title : str
        For commands, and for people.
    find : callable
        Takes a text and a gazetteer and returns the entities in their order, none overlapping
        another. A function at the top level of a module, so that other processes can import it.
    """

    name: str
    title: str
    find: Callable[[str, Gazetteer], list[Entity]]


def entity_finders() -> dict[str, EntityFinder]:
    """All finders by name, those of other packages included."""
    return discover(GROUP, EntityFinder, modules=modules_of("spotlab.lab.pipelines.entities"))


def finder_of(name: str) -> EntityFinder:
    """Look up the finder of a name.

    Parameters
    ----------
    name : str

    Raises
    ------
    SpotlabError
        There is none; the message lists those there are.
    """
    finders = entity_finders()
    if name not in finders:
        raise SpotlabError(f"nothing finds entities by {name!r}; there are {', '.join(finders)}")
    return finders[name]


def read_gazetteer(path: Path) -> Gazetteer:
    """Read names from a text file: one per line, followed by a tab and its kind if it has one.

    Empty lines and lines that begin with # are ignored.

    Parameters
    ----------
    path : Path

    Raises
    ------
    BadInput
        The file cannot be read, or has a line without a name.
    """
    lines = read_text(path).splitlines()
    kinds = {}
    for number, line in enumerate(lines, 1):
        name, _, kind = line.partition("\t")
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        words = tuple(re.findall(r"[^\W_]+", name.casefold()))
        if not words:
            problem = f"there is no name in {line.strip()!r}"
            raise BadInput(path, problem, place=f"line {number}", expected="a name[, tab, kind]")
        kinds[words] = kind.strip() or LISTED
    return Gazetteer(kinds)


_WORD = re.compile(r"[^\W_][\w\u0300-\u036F]*(?:['\u2019][^\W_][\w\u0300-\u036F]*)*")


def find(text: str, gazetteer: Gazetteer) -> list[Entity]:
    """Find all words.

    Parameters
    ----------
    text : str
    gazetteer : Gazetteer
        Not used.

    Examples
    --------
    >>> [entity.text for entity in find("He's in Rome.", Gazetteer({}))]
    ["He's", 'in', 'Rome']
    """
    return [Entity(word[0], "word", *word.span()) for word in _WORD.finditer(text)]


ALL_WORDS = EntityFinder("words", "every word", find)
