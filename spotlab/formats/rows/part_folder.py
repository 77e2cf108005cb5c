"""A folder of files that together are one table: on a disk, or in object storage.

Addresses such as ``s3://bucket/truth`` or ``gs://bucket/truth`` are opened by pyarrow, and what it
does not know (``memory://``, ``az://``, ``hf://`` …) by fsspec, where that is installed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from spotlab.errors import BadInput, NotSaved, reason
from spotlab.files import is_folder
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
