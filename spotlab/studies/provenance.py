"""Says what made a run: program, version, date, method, settings, and hashes of what went in."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from spotlab import __version__
from spotlab.errors import SpotlabError
from spotlab.files import open_file
from spotlab.formats.rows.numbers import whole_number

if TYPE_CHECKING:
    from spotlab.formats.collection.folder import PageEntry
    from spotlab.spotting.symbols.engine.page_features import SymbolModel
    from spotlab.spotting.words.word_index import WordQuery


DIGITS = 16  # of a hash


def provenance_of(
    command: str,
    method: str,
    settings: Mapping[str, object],
    *,
    pages: Iterable[Path],
    queries: Mapping[str, bytes],
) -> dict[str, str]:
    """Return what made a run, to be written with it.

    Parameters
    ----------
    command : str
        For instance "spot symbols".
    method : str
        Name of the method.
    settings : mapping of str to object
        Those that change the result.
    pages : iterable of Path
        The images that were searched; one that cannot be read any more is named so.
    queries : mapping of str to bytes
        By name, what stands for each query: its ink, its text or its place.

    Returns
    -------
    dict of str to str
        The date is the only entry that differs between two runs of the same on the same. It is
        taken from the environment variable ``SOURCE_DATE_EPOCH`` where that is set.
    """
    files = sorted({path.name: path for path in pages}.items())
    names = sorted(queries)
    return {
        "made by": f"spotlab {__version__}",
        "command": command,
        "date": made_at().isoformat(timespec="seconds"),
        "method": method,
        **{f"setting {name}": str(value) for name, value in settings.items()},
        "pages": _counted(
            len(files), "page", _hash((name, _content(path)) for name, path in files)
        ),
        "queries": _counted(
            len(names), "query", _hash((name, queries[name]) for name in names), "queries"
        ),
    }


def made_at() -> datetime:
    """The time that runs are stamped with.

    Examples
    --------
    >>> os.environ["SOURCE_DATE_EPOCH"] = "0"
    >>> made_at().isoformat()
    '1970-01-01T00:00:00+00:00'
    >>> del os.environ["SOURCE_DATE_EPOCH"]
    """
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    seconds = whole_number(given)
    return datetime.now(UTC) if seconds is None else datetime.fromtimestamp(seconds, UTC)


def hash_of_files(paths: Iterable[Path]) -> str:
    """One hash of the names and contents of files, in whatever order they are given."""
    files = sorted({path.name: path for path in paths}.items())
    return _hash((name, _content(path)) for name, path in files)


def _content(path: Path) -> bytes:
    try:
        with open_file(path) as file:
            digest = hashlib.sha256()
            while piece := file.read(2**20):
                digest.update(piece)
            return digest.digest()
    except (OSError, SpotlabError):
        return b"unreadable"


def _hash(parts: Iterable[tuple[str, bytes]]) -> str:
    digest = hashlib.sha256()
    for name, content in parts:
        for part in (name.encode("utf-8", "surrogateescape"), content):
            digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()[:DIGITS]


def _counted(number: int, word: str, digest: str, words: str = "") -> str:
    return f"{number:,} {word if number == 1 else words or word + 's'}, sha256 {digest}"


def symbol_provenance(
    method: str,
    models: Iterable[SymbolModel],
    entries: Iterable[PageEntry],
    labels: Iterable[str] = (),
    **settings: object,
) -> dict[str, str]:
    """Return what made a run of symbols.

    See `provenance_of`. Labels may be searched without models.
    """
    ink: dict[str, bytes] = dict.fromkeys(labels, b"")
    for model in models:
        shape = ",".join(map(str, model.ink.shape))
        ink[model.name] = ink.get(model.name, b"") + shape.encode() + model.ink.tobytes()
    pages = [entry.image for entry in entries]
    return provenance_of("spot symbols", method, settings, pages=pages, queries=ink)


def word_provenance(
    queries: Sequence[WordQuery], entries: Iterable[PageEntry], **settings: object
) -> dict[str, str]:
    """Return what made runs of words, whose method is the list that they are.

    See `provenance_of`.
    """
    asked: dict[str, bytes] = {}
    for query in queries:
        name = query.text or f"{query.page}:{query.box}"
        asked[name] = repr((query.text, query.page, query.box)).encode()
    pages = [entry.image for entry in entries]
    return provenance_of("spot words", "", settings, pages=pages, queries=asked)
