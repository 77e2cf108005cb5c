"""Tells state that this user's spotlab wrote from state that came with a stranger's files.

Some state lies beside the data: the journal of a page, the step that was under way when the
program was killed. It is signed with a key that only this user has, in ``key`` of the state folder.
A folder from somebody else cannot carry a valid signature, so what it asks for is shown, not done.

A signature proves who wrote something, not where it belongs. The signed content must therefore
include what it is bound to, for instance the real path of its folder.
"""

from __future__ import annotations

import contextlib
import hmac
import os
import secrets
import stat
from functools import lru_cache
from pathlib import Path

from platformdirs import user_state_path

from spotlab.files import read_file

_LENGTH = 32  # bytes of a key


def sign(purpose: str, content: bytes) -> str:
    """Sign content with this user's own key.

    Parameters
    ----------
    purpose : str
        The kind of state. A signature for one purpose is not valid for another.
    content : bytes

    Returns
    -------
    signature : str
        64 hexadecimal digits.

    Examples
    --------
    >>> signature = sign("example", b"content")
    >>> is_own("example", b"content", signature), is_own("example", b"other", signature)
    (True, False)
    """
    head = purpose.encode()
    message = len(head).to_bytes(4, "big") + head + content
    return hmac.digest(_key(user_state_path("spotlab") / "key"), message, "sha256").hex()


def is_own(purpose: str, content: bytes, signature: object) -> bool:
    """Whether `sign` made this signature with this user's key.

    Parameters
    ----------
    purpose : str
    content : bytes
    signature : object
        As it was read. Anything but a text is no signature.
    """
    if not isinstance(signature, str):
        return False
    expected = sign(purpose, content).encode()
    return hmac.compare_digest(expected, signature.encode("utf-8", "surrogatepass"))


@lru_cache
def _key(path: Path) -> bytes:
    """Read this user's key, or make one; of this process only where none can be kept."""
    if path.is_absolute():  # without a home it is not, and a stranger's folder could hold it
        with contextlib.suppress(OSError):
            return _read_key(path) or _make_key(path)
    return secrets.token_bytes(_LENGTH)


def _read_key(path: Path) -> bytes | None:
    """The stored key; None where there is none. One that is damaged or known to others goes."""
    try:
        key = read_file(path)
    except FileNotFoundError:
        return None
    if len(key) == _LENGTH and not _was_public(path):
        return key
    path.unlink(missing_ok=True)
    return None


def _was_public(path: Path) -> bool:
    """Take a file away from other users; True if they could have read it until now."""
    if os.name == "nt":
        return False  # the profile of a user is private there
    before = path.stat()
    if before.st_uid != os.geteuid():
        raise PermissionError(f"{path} belongs to somebody else")
    if not stat.S_IMODE(before.st_mode) & 0o077:
        return False
    with contextlib.suppress(OSError):  # a file system without modes
        path.chmod(0o600)
    return path.stat().st_mode != before.st_mode


def _make_key(path: Path) -> bytes:
    """Store a new key, or take the one that another process has stored meanwhile."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(secrets.token_bytes(_LENGTH))
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(new, path)  # unlike a rename, never in place of another one
        except FileExistsError:
            pass
        except OSError:  # a file system without links
            os.replace(new, path)
    finally:
        new.unlink(missing_ok=True)
    return read_file(path)
