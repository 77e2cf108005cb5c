"""A folder of files that together are one table: on a disk, or in object storage.

Addresses such as ``s3://bucket/truth`` or ``gs://bucket/truth`` are opened by pyarrow, and what it
does not know (``memory://``, ``az://``, ``hf://`` …) by fsspec, where that is installed.
"""

from __future__ import annotations

import io
import math
import struct
import sys
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.errors import BadInput, NotSaved, reason
from spotlab.files import is_folder, open_file
from spotlab.formats.rows.files import write_atomically
from spotlab.formats.rows.numbers import natural

SUFFIX = ".parquet"


@dataclass(frozen=True)
class PartFolder:
    """A folder of Parquet parts.

    Attributes
    ----------
    place : str
        A path, or the address of a folder in object storage.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as path:
    ...     folder = PartFolder.of(path)
    ...     folder.write("part-10.parquet", b"one")
    ...     folder.write("part-2.parquet", b"two")
    ...     print(folder.names(), folder.read("part-2.parquet"))
    ['part-2.parquet', 'part-10.parquet'] b'two'
    """

    place: str

    @classmethod
    def of(cls, place: Path | str) -> PartFolder:
        """The folder at a path, which is made absolute, or at an address."""
        return cls(str(place) if is_address(str(place)) else str(Path(place).absolute()))

    def __truediv__(self, name: str) -> PartFolder:
        return PartFolder(f"{self.place.rstrip('/')}/{name}")

    @property
    def name(self) -> str:
        """The last part of the place."""
        return self.place.replace("\\", "/").rstrip("/").rpartition("/")[2]

    def names(self) -> list[str]:
        """The names of all parts, in natural order; none where there is no such folder.

        Raises
        ------
        BadInput
            The folder cannot be looked at.
        """
        try:
            if not is_address(self.place):
                folder = Path(self.place)
                found = [path.name for path in folder.iterdir()] if is_folder(folder) else []
            else:
                from pyarrow.fs import FileSelector, FileType  # noqa: PLC0415 - takes a while

                system, path = _opened(self.place)
                files = system.get_file_info(FileSelector(path, allow_not_found=True))
                found = [file.base_name for file in files if file.type == FileType.File]
        except OSError as error:
            raise BadInput(self.place, f"cannot be read: {reason(error)}") from error
        parts = [
            name for name in found if name.endswith(SUFFIX) and not name.startswith(("_", "."))
        ]
        return sorted(parts, key=natural)

    def read(self, name: str) -> bytes:
        """The content of a file.

        Raises
        ------
        BadInput
            It is not there, or cannot be read.
        """
        try:
            if not is_address(self.place):
                return Path(self.place, name).read_bytes()
            system, path = _opened(self.place)
            with system.open_input_file(f"{path}/{name}") as file:
                content: bytes = file.read()
        except OSError as error:
            problem = "there is no such part" if isinstance(error, FileNotFoundError) else ""
            raise BadInput(
                (self / name).place, problem or f"cannot be read: {reason(error)}"
            ) from error
        return content

    def open(self, name: str) -> Any:
        """A file for pyarrow to read parts of.

        Raises
        ------
        OSError
            It is not there.
        """
        if not is_address(self.place):
            return str(Path(self.place, name))
        system, path = _opened(self.place)
        return system.open_input_file(f"{path}/{name}")

    def write(self, name: str, content: bytes | memoryview) -> None:
        """Write a file, whole or not at all.

        Raises
        ------
        NotSaved
            It cannot be written.
        """
        try:
            if not is_address(self.place):
                Path(self.place).mkdir(parents=True, exist_ok=True)
                write_atomically(Path(self.place, name), content)
                return
            system, path = _opened(self.place)
            system.create_dir(path, recursive=True)
            with system.open_output_stream(f"{path}/{name}") as file:
                file.write(content)  # object storage shows it once it is closed
        except OSError as error:
            raise NotSaved(f"{(self / name).place} was not saved: {reason(error)}") from error


def is_address(place: str) -> bool:
    """Tell whether a place is an address in object storage, not a path.

    Examples
    --------
    >>> is_address("s3://bucket/truth"), is_address("parts/truth"), is_address("C:/truth")
    (True, False, False)
    """
    return "://" in place


@lru_cache
def _opened(place: str) -> tuple[Any, str]:
    """The file system of an address, and the path in it."""
    from pyarrow import ArrowException  # noqa: PLC0415 - takes a while
    from pyarrow.fs import FileSystem, FSSpecHandler, PyFileSystem  # noqa: PLC0415

    try:
        system, path = FileSystem.from_uri(place)
        return system, path.rstrip("/")
    except (ArrowException, OSError) as unknown:
        try:
            from fsspec.core import url_to_fs  # noqa: PLC0415 - need not be there

            system, path = url_to_fs(place)
        except Exception as error:  # whatever a file system of other people raises
            problem = (
                f"cannot be opened: {reason(unknown) if isinstance(error, ImportError) else error}"
            )
            raise BadInput(
                place, problem, expected="a path, or an address that pyarrow or fsspec opens"
            ) from error
        return PyFileSystem(FSSpecHandler(system)), path.rstrip("/")


LARGEST = 1 << 32  # bytes of one array
# whatever a file that is cut off, changed or made up leads the readers of archives and arrays to
DAMAGED = (
    ArithmeticError, AttributeError, EOFError, LookupError, MemoryError, NotImplementedError,
    RecursionError, RuntimeError, SyntaxError, TypeError, ValueError, struct.error, zlib.error,
    zipfile.BadZipFile,
)  # fmt: skip


def read_npz(path: Path, names: Sequence[str], expected: str) -> list[NDArray[Any]]:
    """The arrays of these names.

    Raises
    ------
    BadInput
        The file cannot be read, an array is missing, too large, damaged, or holds objects.
    """
    found = []
    try:
        with open_file(path) as file, zipfile.ZipFile(file) as archive:
            there = {member.filename: member for member in archive.infolist()}
            missing = [name for name in names if f"{name}.npy" not in there]
            if missing:
                problem = f"there is no array {' and no array '.join(missing)}"
                raise BadInput(path, problem, expected=expected)
            for name in names:
                member = there[f"{name}.npy"]
                if member.file_size > LARGEST:
                    problem = f"the array {name} takes {member.file_size:,} bytes"
                    raise BadInput(path, problem, expected=f"at most {LARGEST:,}")
                found.append(array_of(archive.read(member)))
    except OSError as error:
        raise BadInput(path, f"cannot be read: {reason(error)}", expected=expected) from error
    except _HoldsObjects as error:
        problem = "it contains Python objects, which spotlab does not read"
        raise BadInput(path, problem, expected=f".npz with {expected}") from error
    except DAMAGED as error:
        problem = "this is not a complete .npz file"
        raise BadInput(path, problem, expected=f".npz with {expected}") from error
    return found


class _HoldsObjects(ValueError):
    """An array of Python objects, which could be anything."""


def array_of(content: bytes) -> NDArray[Any]:
    """An array in numpy's format, of exactly as many bytes as its header says.

    Raises
    ------
    ValueError
        It is not, it is of a version that arrays of numbers and texts never have, or it holds
        objects.
    """
    source = io.BytesIO(content)
    version = np.lib.format.read_magic(source)
    readers = {
        (1, 0): np.lib.format.read_array_header_1_0,
        (2, 0): np.lib.format.read_array_header_2_0,
    }
    if version not in readers:
        raise ValueError("it is of another version")
    try:
        shape, in_columns, dtype = readers[version](source)
    except Exception as error:  # it is Python source, of which anything can be wrong
        raise ValueError("its header is damaged") from error
    if dtype.hasobject:
        raise _HoldsObjects
    if math.prod(shape) * dtype.itemsize != len(content) - source.tell():
        raise ValueError("its data do not match its header")
    values = np.frombuffer(content, dtype, offset=source.tell())
    if dtype.kind == "U" and values.view(f"{dtype.byteorder}u4").max(initial=0) > sys.maxunicode:
        raise ValueError(
            "the values are not texts"
        )  # to ask for them would be an error of Python's own
    return values.reshape(shape, order="F" if in_columns else "C").copy()
