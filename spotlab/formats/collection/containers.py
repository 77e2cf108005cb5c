"""Unpacks archives of truth and images, as annotation tools hand them out: zip and tar.

Nothing is written beside the archive. Names may not lead out of the folder that it is unpacked
into, links are refused, and what is written is counted, whatever the archive says about sizes.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import tarfile
import tempfile
import time
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from spotlab.errors import BadInput, NotSaved, reason
from spotlab.files import is_folder, open_file
from spotlab.formats.store import OLDEST, cache_folder, digest_of
from spotlab.progress import Progress, silent

MAXIMUM_SIZE = 32 << 30  # bytes that the files of an archive may have together
MAXIMUM_FILES = 500_000
_STEP = 1 << 20
_IGNORED = re.compile(r"(^|/)(__MACOSX|\.DS_Store|Thumbs\.db)(/|$)")
_EXPECTED = "an archive of ordinary files"

Member = tuple[str, IO[bytes]]


def is_archive(path: Path) -> bool:
    """Tell whether a file is a zip or tar archive, by its content.

    Parameters
    ----------
    path : Path
    """
    try:
        with open_file(path) as file:
            head = file.read(512)
    except (OSError, ValueError):
        return False
    if head.startswith(b"PK\x03\x04"):
        return path.suffix.lower() != ".npz"
    return head[257:262] == b"ustar" or (head.startswith(b"\x1f\x8b") and _is_tar(path))


def _is_tar(path: Path) -> bool:
    try:
        return tarfile.is_tarfile(path)
    except (OSError, EOFError, zlib.error):
        return False


def unpacked(path: Path, progress: Progress = silent) -> Path:
    """The content of an archive in a folder of the user's cache; unpacked only once.

    Parameters
    ----------
    path : Path
        Zip or tar.
    progress : Progress

    Raises
    ------
    BadInput
        It is damaged, too large or encrypted, or has names or links that lead elsewhere.
    NotSaved
        The cache cannot be written.
    """
    cache = cache_folder("unpacked")
    folder = cache / digest_of(path)[:40] / (path.name.split(".")[0] or "archive")
    if not is_folder(folder):
        _clear(cache)
        unpack(path, folder, progress)
    with suppress(OSError):
        os.utime(folder.parent)  # what was not used for long is cleared
    return folder


def _clear(cache: Path) -> None:
    """Delete what was not used for `OLDEST`."""
    with suppress(OSError):
        for folder in cache.iterdir():
            if time.time() - folder.stat().st_mtime > OLDEST:
                shutil.rmtree(folder, ignore_errors=True)


def unpack(path: Path, folder: Path, progress: Progress = silent) -> None:
    """Unpack an archive into a new folder, wholly or not at all.

    Parameters
    ----------
    path : Path
        Zip or tar.
    folder : Path
        Made, with the folders above it; must not be there.
    progress : Progress

    Raises
    ------
    BadInput
        See `unpacked`.
    NotSaved
        The folder is there already or cannot be written.
    """
    if os.path.lexists(folder):
        raise NotSaved(f"{path.name} was not unpacked: {folder} is there already")
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(prefix=".spotlab-", dir=folder.parent))
    except OSError as error:
        raise NotSaved(f"{path.name} was not unpacked: {reason(error)}") from error
    try:
        _write_all(path, made, progress)
        made.chmod(0o755 & ~_umask())
        made.rename(folder)
    except OSError as error:
        raise NotSaved(f"{path.name} was not unpacked: {reason(error)}") from error
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _write_all(path: Path, folder: Path, progress: Progress) -> None:
    doing = f"unpacking {path.name}"
    size = 0
    with _members(path) as members:
        for number, (name, content) in enumerate(members):
            progress(number, None, doing)
            if number >= MAXIMUM_FILES:
                raise BadInput(path, f"it has more than {MAXIMUM_FILES:,} files",
                               expected=_EXPECTED)  # fmt: skip
            target = _target(path, name, folder)
            target.parent.mkdir(parents=True, exist_ok=True)
            with content, open(target, "xb") as file:
                while block := content.read(_STEP):
                    size += len(block)
                    if size > MAXIMUM_SIZE:
                        raise BadInput(path, f"its files have more than {MAXIMUM_SIZE:,} bytes",
                                       place=name, expected=_EXPECTED)  # fmt: skip
                    file.write(block)


def _target(path: Path, name: str, folder: Path) -> Path:
    """The file that a name in the archive means, which has to be within the folder."""
    parts = name.replace("\\", "/").split("/")
    inside = [part for part in parts if part not in ("", ".")]
    is_outside = name.startswith(("/", "\\")) or ".." in parts or ":" in parts[0]
    if is_outside or not inside or "\0" in name:
        raise BadInput(path, "a name leads out of the archive", place=repr(name)[:80],
                       expected=_EXPECTED)  # fmt: skip
    return folder.joinpath(*inside)


@contextmanager
def _members(path: Path) -> Iterator[Iterator[Member]]:
    """The files of an archive, one after the other; whatever is wrong with it is a BadInput."""
    try:
        with open_file(path) as file:
            is_zip = file.read(2) == b"PK"
        if is_zip:
            with zipfile.ZipFile(path) as archive:
                yield _of_zip(path, archive)
        else:
            with tarfile.open(path) as archive:
                yield _of_tar(path, archive)
    except (zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError, NotImplementedError,
            RuntimeError, UnicodeError, FileExistsError) as error:  # fmt: skip
        problem = str(error).partition("\n")[0] or type(error).__name__
        if isinstance(error, FileExistsError):
            problem = "it has two files of one name"
        raise BadInput(path, f"the archive cannot be unpacked: {problem}",
                       expected="a whole archive without a password") from error  # fmt: skip


def _of_zip(path: Path, archive: zipfile.ZipFile) -> Iterator[Member]:
    for info in archive.infolist():
        mode = info.external_attr >> 16
        if info.is_dir() or _IGNORED.search(info.filename):
            continue
        if mode and stat.S_IFMT(mode) not in (0, stat.S_IFREG):
            raise _is_link(path, info.filename)
        yield info.filename, archive.open(info)


def _of_tar(path: Path, archive: tarfile.TarFile) -> Iterator[Member]:
    for info in archive:
        if info.isdir() or _IGNORED.search(info.name):
            continue
        content = archive.extractfile(info) if info.isreg() else None
        if content is None:
            raise _is_link(path, info.name)
        yield info.name, content


def _is_link(path: Path, name: str) -> BadInput:
    return BadInput(path, "it has a link, or something else that is no file", place=repr(name)[:80],
                    expected=_EXPECTED)  # fmt: skip
