"""Keeps what truth files have been found to hold, so that no file is looked through twice.

A summary is kept under a digest of the file's content: wherever the file lies, by whomever it is
changed or moved, what is kept is either right or not found. Several windows and processes may share
a store. One that cannot be read or written is done without.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import TypeVar

from platformdirs import user_cache_path

from spotlab.formats.page.head import Summary, read_content, summary, summary_of
from spotlab.model import PageState

VERSION = 1  # to be counted up when the same file is summarised in another way
PATIENCE = 2.0  # seconds that another process may keep the store to itself
AT_ONCE = 500  # summaries that are asked for in one question
_TABLE = "CREATE TABLE IF NOT EXISTS summaries (digest BLOB PRIMARY KEY, said TEXT) WITHOUT ROWID"
_QUESTION = "SELECT digest, said FROM summaries WHERE digest IN"

Answer = TypeVar("Answer")


class SummaryStore:
    """Summaries of truth files by the digest of their content.

    Parameters
    ----------
    folder : Path, optional
        Where they are kept; by default the user's cache.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.path = (folder or user_cache_path("spotlab")) / f"summaries-{VERSION}.sqlite"

    def summaries(self, paths: Sequence[Path], look: Callable[[], object]) -> list[Summary]:
        """What truth files hold, as `summary` says it.

        Parameters
        ----------
        paths : sequence of Path
        look : callable
            Called before each file; may raise to give up. What has been read is kept.
        """
        contents = {path: content for path in paths if (content := read_content(path)) is not None}
        digests = {path: _digest(content) for path, content in contents.items()}
        known = self._known(set(digests.values()))
        new: dict[bytes, Summary] = {}
        found: list[Summary] = []
        try:
            for path in paths:
                look()
                digest = digests.get(path)
                if digest is None:  # missing, or there is something to be said of it
                    found.append(summary(path))
                    continue
                if digest not in known:
                    known[digest] = summary_of(contents[path], path)
                    if not known[digest].error:  # which names the path
                        new[digest] = known[digest]
                found.append(known[digest])
        finally:
            self._keep(new)
        return found

    def _known(self, digests: set[bytes]) -> dict[bytes, Summary]:
        wanted = list(digests)

        def ask(store: sqlite3.Connection) -> list[tuple[bytes, str]]:
            rows: list[tuple[bytes, str]] = []
            for start in range(0, len(wanted), AT_ONCE):
                some = wanted[start : start + AT_ONCE]
                marks = ",".join("?" * len(some))
                rows += store.execute(f"{_QUESTION} ({marks})", some).fetchall()
            return rows

        said = self._with_store(ask) if wanted else None
        found = ((digest, _understood(text)) for digest, text in said or ())
        return {digest: known for digest, known in found if known is not None}

    def _keep(self, new: dict[bytes, Summary]) -> None:
        rows = [(digest, _said(known)) for digest, known in new.items()]

        def keep(store: sqlite3.Connection) -> None:
            store.executemany("INSERT OR REPLACE INTO summaries VALUES (?, ?)", rows)
            store.commit()

        if rows:
            self._with_store(keep)

    def _with_store(self, use: Callable[[sqlite3.Connection], Answer]) -> Answer | None:
        """What is made of the store; None where there is none. A damaged one is begun anew."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self.path, PATIENCE)) as store:
                store.execute(_TABLE)
                return use(store)
        except (sqlite3.OperationalError, OSError):  # locked, read-only, full, …
            return None
        except sqlite3.DatabaseError:
            with suppress(OSError):
                self.path.unlink()
            return None


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=20).digest()


def _said(known: Summary) -> str:
    return json.dumps([known.state, known.labels], ensure_ascii=False, separators=(",", ":"))


def _understood(said: str) -> Summary | None:
    try:
        state, labels = json.loads(said)
        return Summary(PageState(state), {str(name): int(count) for name, count in labels.items()})
    except (ValueError, TypeError, AttributeError):
        return None
