"""Tells state that this user's spotlab wrote from a stranger's, and keeps names inside a folder.

Some state lies beside the data: the journal of a page, the step that was under way when the
program was killed. It is signed with a key that only this user has, in ``key`` of the state folder.
A folder from somebody else cannot carry a valid signature, so what it asks for is shown, not done.

A signature proves who wrote something, not where it belongs. The signed content must therefore
include what it is bound to, for instance the real path of its folder.

A name that stands in a file, or that a folder happens to hold, may lead anywhere: by ``..``, as an
absolute path, through a symbolic link. `confined` and `confined_truth` refuse those that leave the
folder. What writes in an opened folder on its own account takes only paths of their types.
"""

from __future__ import annotations

import contextlib
import hmac
import os
import secrets
import stat
from functools import lru_cache
from pathlib import Path
from typing import NewType

from platformdirs import user_state_path

from spotlab.errors import BadInput
from spotlab.files import read_file

Confined = NewType("Confined", Path)  # made by `confined` only
TruthPath = NewType("TruthPath", Confined)  # made by `confined_truth` only
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
    """Tell whether `sign` made this signature with this user's key.

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


def confined(path: Path | str, folder: Path) -> Confined:
    """Resolve a path, which must lie in a folder, links included.

    Parameters
    ----------
    path : Path or str
        Absolute or relative to the folder. It need not exist.
    folder : Path
        The folder that must not be left.

    Returns
    -------
    path : Confined
        The real path of its parent with its name. A link in the folder that leads to a file in the
        folder stays a link.

    Raises
    ------
    BadInput
        The path leads out of the folder, or is the folder itself.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     confined("page/plan.xml", Path(folder)).name
    'plan.xml'
    >>> confined("../plan.xml", Path("/plans"))
    Traceback (most recent call last):
    spotlab.errors.BadInput: ../plan.xml: it leads out of the folder; expected a file in /plans
    """
    root = Path(os.path.realpath(folder))
    parent, name = os.path.split(path)
    problem = "it leads out of the folder"
    try:
        place = Path(os.path.realpath(os.path.join(folder, parent)), name)
        target = Path(os.path.realpath(place))
    except ValueError:  # a NUL
        raise BadInput(repr(str(path)), "this is no name of a file") from None
    if name in ("", os.curdir, os.pardir) or root == place:
        raise BadInput(path, "this is no name of a file", expected=f"a file in {folder}")
    if not place.is_relative_to(root):
        raise BadInput(path, problem, expected=f"a file in {folder}")
    if not target.is_relative_to(root):
        raise BadInput(path, f"{problem}, to {target}", expected=f"a file in {folder}")
    return Confined(place)


def is_confined(path: Path | str, folder: Path) -> bool:
    """Tell whether `confined` takes the path."""
    try:
        confined(path, folder)
    except BadInput:
        return False
    return True


def own_file(path: Path) -> Confined:
    """Resolve the path of a file that spotlab keeps beside data, before it is written.

    A link in place of the file that leads out of its folder is refused: the name is spotlab's, so
    nobody but the maker of the folder can have wanted it to lead elsewhere.

    Raises
    ------
    BadInput
        The path leads out of the folder.
    """
    return confined(path.absolute(), path.parent)


def confined_truth(path: Path | str, folder: Path) -> TruthPath:
    """Resolve the path of a truth file as `confined` does; its suffix must be ``.xml``.

    Raises
    ------
    BadInput
        The path leads out of the folder, or is not that of a truth file.
    """
    place = confined(path, folder)
    if place.suffix.lower() != ".xml" or place.name.startswith("."):
        raise BadInput(path, "this is not the name of a truth file", expected="NAME.xml")
    return TruthPath(place)


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
