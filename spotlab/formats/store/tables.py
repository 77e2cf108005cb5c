"""Entries that are Parquet files in a folder or in object storage; the file says what it is of."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from spotlab.formats.rows.json_values import parse_json
from spotlab.formats.rows.part_folder import PartFolder

if TYPE_CHECKING:
    import pyarrow

ABOUT = b"spotlab"  # the entry of a file's metadata with the key and what else is said


class Entry:
    """What was found under a key.

    Parameters
    ----------
    about : dict or None
        What the entry says about itself; None if there is none with the key.
    damaged : bool
        Whether there is one that cannot be read.
    """

    def __init__(self, about: dict[str, Any] | None, *, damaged: bool = False) -> None:
        self.about = about
        self.damaged = damaged


def described(schema: pyarrow.Schema, key: str, about: Mapping[str, Any]) -> pyarrow.Schema:
    """The schema of an entry, which says its key and something about it.

    Parameters
    ----------
    schema : pyarrow.Schema
    key : str
        As `spotlab.formats.store.digests.key_of` makes it.
    about : mapping
        What JSON can hold.
    """
    return schema.with_metadata({ABOUT: json.dumps({**about, "key": key}).encode()})


def about(file: Any) -> dict[str, Any]:
    """What an open ``pyarrow.parquet.ParquetFile`` says about itself; empty if it is not ours."""
    said: dict[str, Any] = parse_json((file.schema_arrow.metadata or {}).get(ABOUT, b"{}"))
    return said


def known(folder: PartFolder, name: str, key: str, *, whole: bool = False) -> Entry:
    """Look for an entry.

    Parameters
    ----------
    folder : PartFolder
    name : str
        Of the file.
    key : str
        The key that it has to have.
    whole : bool
        Read all of it, so that damage anywhere is noticed, and not only what it says of itself.

    Returns
    -------
    Entry
    """
    import pyarrow  # noqa: PLC0415 - takes a quarter of a second
    import pyarrow.parquet  # noqa: PLC0415

    try:
        opened = folder.open(name)
        with pyarrow.parquet.ParquetFile(opened, page_checksum_verification=True) as file:
            said = about(file)
            if said.get("key") != key:
                return Entry(None)
            if whole:
                for _ in file.iter_batches(use_threads=False):
                    pass
            return Entry(said)
    except FileNotFoundError:
        return Entry(None)
    except (pyarrow.ArrowException, OSError, ValueError, TypeError):
        return Entry(None, damaged=True)
