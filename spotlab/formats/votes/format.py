"""What votes that were read are: a table of items and systems, and what is known besides."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from spotlab.arrays import Floats
from spotlab.consensus.votes import Votes
from spotlab.formats.rows.bad_lines import BadLine
from spotlab.progress import Progress
from spotlab.representation import short_repr

Method = Literal["bag_of_words", "alignment"]
TRUTH = "truth"  # what a column, a file or a folder of the truth is called


@dataclass(frozen=True, eq=False)
class VoteTable:
    """What systems vote on items, and all that the files say besides.

    Attributes
    ----------
    votes : Votes
        Of N items and S systems.
    items : tuple of str
        The name of each item, all different.
    pages : tuple of str
        The page, topic or document of each item; () where nothing says it.
    truth : (N,) float or None
        1 relevant, 0 not, NaN unknown; None where nothing says it of any item.
    factors : dict of str to tuple of str
        What is known of the systems: of each factor its value for every system, "" where unknown.
    texts : tuple of str
        The token that each item stands for; () where items are no tokens.
    boxes : (N, 4) float or None
        Left, top, right, bottom in px on its page of each item that is a region, the average of
        what the systems spotted; None where items are no regions.
    unfound : (S,) float or None
        For each system how much is relevant that no system found and that is no item here: it
        counts in the recall by the truth. None where nothing says it.
    files : mapping of (str, str) to Path
        Of texts, the file of a system and a page.
    bad_lines : tuple of BadLine
        Every line that is not read.
    remarks : tuple of str
        What a person should know besides.
    name : str
        What the table is called: its file's or folder's name.
    """

    votes: Votes
    items: tuple[str, ...]
    pages: tuple[str, ...] = ()
    truth: Floats | None = None
    factors: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    texts: tuple[str, ...] = ()
    boxes: Floats | None = None
    unfound: Floats | None = None
    files: Mapping[tuple[str, str], Path] = field(default_factory=dict)
    bad_lines: tuple[BadLine, ...] = ()
    remarks: tuple[str, ...] = ()
    name: str = ""

    __repr__ = short_repr

    def __len__(self) -> int:
        return len(self.votes)

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems."""
        return self.votes.systems


@dataclass(frozen=True)
class VoteOptions:
    """How files that are no tables of votes become items.

    Attributes
    ----------
    method : str
        Of texts: "bag_of_words" (Method I of Lamiroy & Sun, §4.2) or "alignment" (Method II).
    depth : int
        Of ranked lists: a system votes for the documents of its first so many ranks.
    overlap : float
        Of spotted regions: the intersection over union from which two are the same item.
    yes : tuple of str
        Of answers ``item,system,vote``: those that are a yes, all others being a no; () where
        answers are numbers from 0 to 1.
    missed : bool
        Of texts, ranked lists and regions: whether what only the truth has is an item too, on which
        every system votes no. Without, figures of a consensus are the same whether there is a truth
        or not; recall by the truth counts what nobody found either way.
    """

    method: Method = "bag_of_words"
    depth: int = 100
    overlap: float = 0.5
    yes: tuple[str, ...] = ()
    missed: bool = False

    def __post_init__(self) -> None:
        if self.method not in ("bag_of_words", "alignment"):
            raise ValueError(f"there is no method {self.method!r}: bag_of_words or alignment")
        if self.depth < 1:
            raise ValueError(f"a depth of {self.depth} ranks, expected 1 or more")
        if not 0 < self.overlap <= 1:
            raise ValueError(f"an overlap of {self.overlap:g}, expected more than 0 and at most 1")


@dataclass(frozen=True)
class VoteFormat:
    """One way in which votes are kept, found through the registry.

    Attributes
    ----------
    name, title : str
        What commands and what people call it.
    sniff : callable
        Whether these files and folders, of which there is at least one, are of this kind.
    read : callable
        Raises `BadInput` where nothing can be read.
    broad : bool
        Whether ``sniff`` takes much for its own, so that the others are asked first.
    """

    name: str
    title: str
    sniff: Callable[[Sequence[Path]], bool]
    read: Callable[[Sequence[Path], VoteOptions, Progress], VoteTable]
    broad: bool = False
