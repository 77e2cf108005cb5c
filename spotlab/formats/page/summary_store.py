"""Keeps what truth files have been found to hold, so that no file is looked through twice.

A summary is kept under a digest of the file's content: wherever the file lies, by whomever it is
changed or moved, what is kept is either right or not found. Summaries are small, so that an entry
of `spotlab.formats.store` has those that were made together. What cannot be read or written is done
without.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

import lxml
import numpy as np

from spotlab.errors import NotSaved
from spotlab.files import exists
from spotlab.formats.page.head import Summary, read_content, summary, summary_of
from spotlab.formats.store.arrays import keyed_file, read_arrays, write_arrays
from spotlab.formats.store.digests import code_digest, key_of
from spotlab.formats.store.folders import cache_folder
from spotlab.model import PageState

SUFFIX = ".summaries"
MANY = 200  # entries from which on they are joined
MOST = 500_000  # summaries that are kept of joined entries


class SummaryStore:
    """Summaries of truth files by the digest of their content.

    Parameters
    ----------
    folder : Path, optional
        Where they are kept; by default in the user's cache.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or cache_folder("summaries")
        self._said: dict[bytes, tuple[str, Path]] | None = None
        self._used: set[Path] = set()

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
        if self._said is None:
            self._said = _kept(self.folder)
        found = {}
        for digest in digests & self._said.keys():
            said, file = self._said[digest]
            known = _understood(said)
            if known is not None:
                found[digest] = known
                self._use(file)
        return found

    def _use(self, file: Path) -> None:
        if file not in self._used:
            self._used.add(file)
            with suppress(OSError):
                os.utime(file)  # what was not used for long is cleared

    def _keep(self, new: Mapping[bytes, Summary]) -> None:
        said = {digest: _said(known) for digest, known in new.items()}
        if said and self._said is not None:
            file = _write(self.folder, said)
            self._said |= {digest: (text, file) for digest, text in said.items()}


def _kept(folder: Path) -> dict[bytes, tuple[str, Path]]:
    """What is kept, and in which entry."""
    found: dict[bytes, tuple[str, Path]] = {}
    files = list(folder.glob(f"??/*{SUFFIX}"))
    for file in files:
        arrays = read_arrays(file, _magic(), used=False)
        with suppress(KeyError, ValueError, TypeError):
            texts = json.loads((arrays or {})["said"].tobytes())
            digests = [row.tobytes() for row in (arrays or {})["digests"]]
            found |= {
                digest: (str(text), file) for digest, text in zip(digests, texts, strict=True)
            }
    if len(files) < MANY:
        return found
    said = {digest: text for digest, (text, _) in list(found.items())[-MOST:]}
    joined = _write(folder, said)
    if exists(joined):
        for file in files:
            if file != joined:
                with suppress(OSError):
                    file.unlink()
    return {digest: (text, joined) for digest, text in said.items()}


def _write(folder: Path, said: Mapping[bytes, str]) -> Path:
    """The entry of these summaries, if it could be written."""
    digests = sorted(said)
    file = keyed_file(folder, key_of(*(digest.hex() for digest in digests)), SUFFIX)
    texts = json.dumps([said[digest] for digest in digests])
    arrays = {
        "digests": np.frombuffer(b"".join(digests), np.uint8).reshape(len(digests), -1),
        "said": np.frombuffer(texts.encode(), np.uint8),
    }
    with suppress(NotSaved):  # read-only, full, …
        write_arrays(arrays, file, _magic())
    return file


@cache
def _magic() -> bytes:
    """The first line of an entry, which changes with everything that decides on a summary."""
    code = code_digest(sorted(Path(__file__).parent.glob("*.py")), [lxml])
    return b"spotlab summaries " + code.encode() + b"\n"


def _digest(content: bytes) -> bytes:
    return hashlib.sha256(content).digest()


def _said(known: Summary) -> str:
    return json.dumps([known.state, known.labels], ensure_ascii=False, separators=(",", ":"))


def _understood(said: str) -> Summary | None:
    try:
        state, labels = json.loads(said)
        return Summary(PageState(state), {str(name): int(count) for name, count in labels.items()})
    except (ValueError, TypeError, AttributeError):
        return None
