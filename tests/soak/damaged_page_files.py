"""Damages what is kept of pages again and again: it is made anew, or is what it was.

``python -m tests.soak.damaged_page_files --each 100 --seed 1``
"""

from __future__ import annotations

import argparse
import hashlib
import io
import random
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from spotlab.formats.store import read_arrays, write_arrays
from spotlab.spotting.symbols.engine.method import features_of_model
from spotlab.spotting.symbols.engine.page_features import PageFeatures, draw_model
from spotlab.spotting.symbols.methods.alignment import METHOD
from spotlab.spotting.symbols.search import index as symbols
from spotlab.spotting.symbols.search.index import read_features
from spotlab.spotting.symbols.search.symbol_search import read_spots, search_symbols
from spotlab.spotting.words import index as words
from spotlab.spotting.words.index import read_words
from tests.soak.damage import DAMAGES

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tests.spotting.symbols import drawn_symbols
from tests.spotting.words import word_pages

BOMB = 3 << 30  # bytes that a small file claims to be
Arrays = dict[str, np.ndarray[Any, Any]]


def bombs(magic: bytes, size: int = BOMB) -> Iterator[bytes]:
    """Small files with the right digest that would fill the memory."""
    packing = zlib.compressobj(9)
    block = packing.compress(bytes(1 << 24))
    body = b"".join([block, *(packing.compress(bytes(1 << 24)) for _ in range(size >> 24))])
    yield signed(magic, body + packing.flush())
    content = io.BytesIO()
    with (
        zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("size.npy", "w", force_zip64=True) as member,
    ):
        for _ in range(size >> 24):
            member.write(bytes(1 << 24))
    yield signed(magic, content.getvalue())
    header = io.BytesIO()
    described = {"descr": "<f8", "fortran_order": False, "shape": (1 << 50,)}
    np.lib.format.write_array_header_1_0(header, described)
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("size.npy", header.getvalue())
    yield signed(magic, content.getvalue())


def signed(magic: bytes, body: bytes) -> bytes:
    """A file as it would be written with this body."""
    return magic + hashlib.sha256(body).hexdigest().encode() + b"\n" + body


def poisoned(arrays: Arrays, chance: random.Random) -> Arrays:
    """Arrays of which one is not as it was, though it may look like it."""
    name = chance.choice(sorted(arrays))
    array = arrays[name]
    changed = dict(arrays)
    match chance.randrange(6):
        case 0:
            del changed[name]
        case 1:
            changed[name] = array[: chance.randrange(len(array) + 1)] if array.ndim else array[None]
        case 2:
            kinds = ("f4", "f8", "i8", "u1", "U3") if array.dtype.kind != "U" else ("S9", "U1")
            changed[name] = array.astype(chance.choice(kinds))
        case 3:
            raw = bytearray(array.tobytes())
            for _ in range(min(len(raw), 4)):
                raw[chance.randrange(len(raw))] = chance.randrange(256)
            changed[name] = np.frombuffer(bytes(raw), array.dtype).reshape(array.shape)
        case 4:
            changed[name] = np.array(chance.choice((np.nan, -1.0, 2.0**62)))
        case _:
            changed[name] = array.reshape(-1, 1)
    return changed


def try_all(
    file: Path, read: Callable[[Path], Any], use: Callable[[Any], object], each: int, seed: int
) -> int:
    """Damage one file in every way; gives how often."""
    content = file.read_bytes()
    magic = content[: content.index(b"\n") + 1]  # names kind and version
    whole = read_arrays(file, magic)
    assert whole is not None, file
    assert read(file) is not None, file
    tried = 0
    for name, damage in DAMAGES.items():
        for number in range(each):
            changed = damage(content, random.Random(f"{seed} {file.suffix} {name} {number}"))
            file.write_bytes(changed)
            assert changed == content or read(file) is None, f"{name}, {number}, seed {seed}"
            tried += 1
    for number in range(each):
        write_arrays(poisoned(whole, random.Random(f"{seed} {number}")), file, magic)
        found = read(file)
        if found is not None:
            use(found)
        tried += 1
    for bomb in bombs(magic) if each > 10 else ():
        file.write_bytes(bomb)
        assert read(file) is None
        tried += 1
    file.write_bytes(content)
    return tried


def run(each: int, seed: int) -> int:
    """Damage each kind of file; gives how many were damaged."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        drawn_symbols.write_drawings(folder / "plans")
        word_pages.write_pages(folder / "letters")
        model = draw_model("box", [[(0, 0), (60, 0), (60, 60), (0, 60), (0, 0)]], pen=2)
        query = features_of_model(model, [METHOD])
        symbols.build_index([folder / "plans"], cache=folder / "symbols")
        search_symbols([folder / "plans"], [model], "e", cache=folder / "spots")
        words.build_index([folder / "letters"], cache=folder / "words")

        def first(suffix: str) -> Path:
            return min((folder / suffix).rglob(f"*.{suffix}"))

        def use_features(found: PageFeatures) -> None:
            if METHOD.name in found.arrays:  # else the index makes the file anew
                METHOD.spot(found, query)

        def use_words(found: Any) -> None:
            first("words").stat()
            assert found.raw.astype(np.float32).shape[1] == found.changes.shape[1]

        return sum((
            try_all(first("symbols"), read_features, use_features, each, seed),
            try_all(first("spots"), lambda path: read_spots(path, 1),
                    lambda found: found[0].outlines.bounds, each, seed),
            try_all(first("words"), read_words, use_words, each, seed),
        ))  # fmt: skip


def main() -> None:
    """Run it as the arguments say."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=100, help="Damages of each kind.")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print(f"{run(given.each, given.seed)} damaged files of pages: all noticed")


if __name__ == "__main__":
    main()
