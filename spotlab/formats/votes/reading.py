"""Reads votes of whatever kind they are."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from spotlab.errors import BadInput, reason
from spotlab.files import is_folder
from spotlab.formats.votes.format import Method, VoteFormat, VoteOptions, VoteTable, first_line
from spotlab.progress import Progress, silent
from spotlab.registry import discover, guarded

PACKAGE = "spotlab.formats.votes"


def known_vote_formats() -> dict[str, VoteFormat]:
    """All kinds of votes by name, other people's included."""
    return discover(PACKAGE, VoteFormat)


def vote_format_of(paths: Sequence[Path]) -> VoteFormat:
    """Return what kind of votes is in files and folders, by their content.

    Raises
    ------
    BadInput
        One cannot be read, or they are of no known kind.
    """
    _see_that_all_are_there(paths)
    formats = sorted(known_vote_formats().values(), key=lambda each: each.broad)
    for each in formats:
        if guarded(each, partial(each.sniff, paths)):
            return each
    titles = ", ".join(each.title for each in formats)
    if len(paths) > 1 and any(guarded(each, partial(each.sniff, paths[:1])) for each in formats):
        others = ", ".join(path.name for path in paths[1:4])
        problem = f"has another format than {others}"
        raise BadInput(paths[0], problem, expected=f"one format for all votes: {titles}")
    line = first_line(paths[0])
    begins = f"; its first line is {line[:40]!r}" if line and line.isprintable() else ""
    raise BadInput(paths[0], f"this is no file of votes{begins}", expected=f"one of {titles}")


def _see_that_all_are_there(paths: Sequence[Path]) -> None:
    if not paths:
        raise BadInput(Path("votes"), "nothing is given", expected="a file or folder of votes")
    for path in paths:
        try:
            if not is_folder(path) and not path.stat().st_size:
                raise BadInput(path, "the file is empty", expected="votes")
        except OSError as error:
            raise BadInput(path, f"cannot be read: {reason(error)}") from error


def read_votes(
    paths: Path | str | Sequence[Path | str],
    kind: str | None = None,
    method: Method = "bag_of_words",
    depth: int = 100,
    overlap: float = 0.5,
    yes: Sequence[str] = (),
    missed: bool = False,
    progress: Progress = silent,
) -> VoteTable:
    """The votes in a file or folder, or in several that belong together.

    Parameters
    ----------
    paths : Path or sequence of Path
        A table of votes; answers ``item,system,vote`` and their truth; runs of TREC and relevance
        judgements; a folder with a sub-folder of texts or of PAGE or ALTO files a system, or these
        sub-folders; runs of spotted regions. What is called truth, or gt, is the truth.
    kind : str, optional
        One of `known_vote_formats`; by default what the content tells.
    method : str
        How texts become items: "bag_of_words" or "alignment" (Lamiroy & Sun 2013, §4.2, Methods I
        and II).
    depth : int
        Of runs of TREC, for how many of its first ranks a system votes.
    overlap : float
        The intersection over union from which spotted regions are the same item.
    yes : sequence of str
        The answers that are a yes; () where answers are numbers from 0 to 1.
    missed : bool
        Whether what only the truth has is an item too, on which every system votes no.

    Returns
    -------
    VoteTable
        With every line that is not right in ``bad_lines``.

    Raises
    ------
    BadInput
        Nothing can be read.
    ValueError
        There is no such kind or method, or a number is out of range.
    """
    given = [Path(path) for path in ([paths] if isinstance(paths, Path | str) else paths)]
    options = VoteOptions(method, depth, overlap, tuple(yes), missed)
    if kind is None:
        return vote_format_of(given).read(given, options, progress)
    if kind not in known_vote_formats():
        formats = ", ".join(known_vote_formats())
        raise ValueError(f"{kind!r} is not a format of votes; expected one of: {formats}")
    _see_that_all_are_there(given)
    return known_vote_formats()[kind].read(given, options, progress)
