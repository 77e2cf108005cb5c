"""Arrays in numpy's ``.npz`` files, which may be damaged or meant to do harm.

numpy's own reader unpacks whatever an archive says, and makes room for whatever a header says.
"""

from __future__ import annotations

import io
import math
import struct
import sys
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.errors import BadInput, reason
from spotlab.files import open_file

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
