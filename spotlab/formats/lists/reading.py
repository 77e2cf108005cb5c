"""Reads ranked lists of whatever format they are, of one file or of several together."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from spotlab.errors import BadInput, reason
from spotlab.files import open_file
from spotlab.formats.lists.assemble import assemble
from spotlab.formats.lists.format import ListFormat, ReadLists
from spotlab.progress import Progress, silent
from spotlab.registry import discover, guarded

PACKAGE = "spotlab.formats.lists"
QREL_WORDS = 4


def known_list_formats() -> dict[str, ListFormat]:
    """All formats of ranked lists by name, other people's included."""
    return discover(PACKAGE, ListFormat)


def list_format_of(path: Path) -> ListFormat:
    """The format of a file, by its content and its name.

    Raises
    ------
    BadInput
        It cannot be read, or is of no known format.
    """
    head = _head(path)
    if not head.strip():
        raise BadInput(path, "the file is empty", expected="ranked lists")
    formats = known_list_formats().values()
    for each in formats:
        if guarded(each, partial(each.sniff, path, head)):
            return each
    if _are_qrels(head):
        problem = "this looks like relevance judgements (qrels), not like ranked lists"
        raise BadInput(path, problem, expected="query Q0 item rank score tag")
    titles = ", ".join(each.title for each in formats)
    raise BadInput(path, "these are no ranked lists", expected=f"one of {titles}")


def is_qrels(path: Path) -> bool:
    """Whether a file has relevance judgements (qrels), not lists; False where it cannot be read."""
    try:
        head = _head(path)
    except BadInput:
        return False
    formats = known_list_formats().values()
    return _are_qrels(head) and not any(
        guarded(each, partial(each.sniff, path, head)) for each in formats
    )


def _head(path: Path) -> bytes:
    try:
        with open_file(path) as file:
            return file.read(4096)
    except OSError as error:
        raise BadInput(path, f"cannot be read: {reason(error)}") from error


def _are_qrels(head: bytes) -> bool:
    return len(head.lstrip().partition(b"\n")[0].split()) == QREL_WORDS


def read_lists(paths: Path | str | Sequence[Path | str], progress: Progress = silent) -> ReadLists:
    """The ranked lists of one file, or of several as if they were one.

    Parameters
    ----------
    paths : Path or sequence of Path
        Those of the same query become several lists of it.

    Returns
    -------
    ReadLists
        The lists of all good lines, by query; every line that is not right; remarks.

    Raises
    ------
    BadInput
        Of a file nothing can be read.
    """
    several = [paths] if isinstance(paths, Path | str) else paths
    files = [Path(path) for path in several]
    return assemble([list_format_of(path).read(path, progress) for path in files])
