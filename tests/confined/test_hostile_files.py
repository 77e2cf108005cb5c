"""Folders of hostile files: commands stay, and say which file is wrong and why."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread

import pytest
from PIL import Image

from spotlab.confined import client
from spotlab.errors import BadInput
from spotlab.imaging.reading.pixels import read_header, read_page
from tests.imaging.hostile_files import many_pages, nested_forms, pdf_page, stream
from tests.imaging.image_files import png_bytes

MOST = 1_800_000_000  # bytes that all processes take together, beyond what this one had before


def png_header(width: int, height: int, depth: int, colour: int) -> bytes:
    """A PNG that says it is large and has few rows."""
    return png_bytes(width, height, depth, colour, bytes(10_000))


def png_chunk(kind: bytes, content: bytes) -> bytes:
    checksum = zlib.crc32(kind + content)
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", checksum)


def many_fields(length: int) -> bytes:
    """A TIFF of many fields, each of which holds all of the file."""
    count = 60_000
    fields = b"".join(struct.pack("<HHII", tag, 1, length, 8) for tag in range(1000, 1000 + count))
    return b"II*\0" + struct.pack("<IH", 8, count) + fields + bytes(length)


def tiff_loop() -> bytes:
    """A TIFF whose second directory is the first one again."""
    return b"II*\0" + struct.pack("<IH", 8, 1) + struct.pack("<HHII", 256, 4, 1, 9) + b"\x08\0\0\0"


def hostile_files() -> Iterator[tuple[str, bytes]]:
    for levels, calls in ((7, 10), (9, 10), (24, 2), (5, 40), (3, 400)):
        yield f"forms-{levels}-{calls}.pdf", nested_forms(levels, calls)
    yield "pages.pdf", many_pages(150_000)
    for size in (1, 20, 200):
        content = zlib.compress(b"0 0 9 9 re f " * (size * 80_000))
        yield f"content-{size}.pdf", pdf_page(stream(b"/Filter/FlateDecode", content))
    image = (
        b"/Type/XObject/Subtype/Image/Width %d/Height %d/ColorSpace/DeviceRGB/BitsPerComponent 8"
    )
    for side in (9_999, 40_000, 2_000_000_000):
        pixels = stream(image % (side, side) + b"/Filter/FlateDecode", zlib.compress(bytes(10**7)))
        contents = stream(b"", b"200 0 0 100 0 0 cm /I Do")
        yield f"image-{side}.pdf", pdf_page(contents, b"/XObject<</I 5 0 R>>", (pixels,))
    twice = zlib.compress(zlib.compress(bytes(10**8)))
    yield "twice.pdf", pdf_page(stream(b"/Filter[/FlateDecode/FlateDecode]", twice))
    pattern = b"/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 1 1]/Resources<<>>"
    pattern += b"/XStep .0001/YStep .0001"
    paint = stream(b"", b"/Pattern cs /P scn 0 0 200 100 re f")
    yield (
        "pattern.pdf",
        pdf_page(paint, b"/Pattern<</P 5 0 R>>", (stream(pattern, b"0 0 1 1 re f"),)),
    )
    yield "large.pdf", pdf_page(stream(b"", b"")).replace(b"200 100", b"9e9 9e9")
    yield "negative.pdf", pdf_page(stream(b"", b"")).replace(b"200 100", b"-20 1e8")
    yield "cut.pdf", nested_forms()[:900]
    yield "empty.pdf", b"%PDF-1.7\n"
    for depth, colour in ((16, 6), (16, 2), (8, 6), (16, 4), (1, 0)):
        yield f"png-{depth}-{colour}.png", png_header(17_290, 17_290, depth, colour)
    yield "wide.png", png_header(2**31 - 1, 1, 8, 2)
    yield "square.png", png_header(2**31 - 1, 2**31 - 1, 16, 6)
    text = png_bytes(3, 2, 8, 0, bytes(8))
    bomb = b"Comment\0\0" + zlib.compress(bytes(3 * 10**8))
    yield "text.png", text[:33] + png_chunk(b"zTXt", bomb) + text[33:]
    yield "profile.png", text[:33] + png_chunk(b"iCCP", bomb) + text[33:]
    exif = b"II*\0" + many_fields(700_000)[4:]
    yield "exif.png", text[:33] + png_chunk(b"eXIf", exif) + text[33:]
    yield "cut.png", text[:50]
    yield "fields.tif", many_fields(1_000_000)
    yield "loop.tif", tiff_loop()
    for number, compression in enumerate((1, 5, 8, 7, 4, 34712, 50001)):
        entries = [
            (256, 4, 1, 17_000), (257, 4, 1, 17_000), (258, 3, 1, 32), (259, 3, 1, compression),
            (262, 3, 1, 1), (273, 4, 1, 8), (277, 3, 1, 1), (278, 4, 1, 17_000),
            (279, 4, 1, 400), (339, 3, 1, 3),
        ]  # fmt: skip
        body = b"".join(struct.pack("<HHII", *entry) for entry in entries)
        head = b"II*\0" + struct.pack("<IH", 8, len(entries))
        yield f"float-{number}.tif", head + body + bytes(400)
    vp8x = b"WEBPVP8X" + struct.pack("<I", 10) + b"\x12\0\0\0" + b"\xfe\x3f\0" * 2
    yield "canvas.webp", b"RIFF" + struct.pack("<I", len(vp8x)) + vp8x
    lossless = b"WEBPVP8L" + struct.pack("<I", 60) + b"\x2f\xff\xff\xff\x0f" + bytes(55)
    yield "lossless.webp", b"RIFF" + struct.pack("<I", len(lossless)) + lossless
    yield (
        "jpeg.jpg",
        b"\xff\xd8\xff\xc2\0\x11\x08\x43\x8a\x43\x8a\x03\x01\x22\0\x02\x11\x01\x03\x11\x01",
    )
    fields = 54, 0, 54, 40, 17_000, 17_000, 1, 24, 0, 0, 0, 0, 0, 0
    yield "bmp.bmp", b"BM" + struct.pack("<IIIIiiHHIIiiII", *fields)


class Watch:
    """The most memory that this process and its workers have taken together since it began."""

    def __init__(self) -> None:
        self.most = 0
        self._before = own_bytes(os.getpid())  # after many tests that is a lot
        self._done = Event()
        self._thread = Thread(target=self._look, daemon=True)

    def __enter__(self) -> Watch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._done.wait(0.02):
            numbers = [os.getpid(), *(worker.process.pid for worker in tuple(client._all))]
            self.most = max(self.most, sum(map(own_bytes, numbers)) - self._before)


def own_bytes(number: int) -> int:
    """The share of memory that a process has, in bytes."""
    try:
        lines = Path(f"/proc/{number}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:")), 0)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, content in hostile_files():
        (tmp_path / name).write_bytes(content)
    Image.effect_noise((300, 200), 90).save(tmp_path / "zz good.png")
    return tmp_path


def test_there_are_enough(folder: Path) -> None:
    assert len(list(folder.iterdir())) > 40


@pytest.mark.slow
def test_commands_outlive_hostile_files(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "spotlab", "validate", str(folder)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1, 2) and "Traceback" not in done.stderr


@pytest.mark.slow
def test_each_file_is_read_or_refused_by_name_in_little_memory(folder: Path) -> None:
    with Watch() as watch:
        for path in sorted(folder.iterdir()):
            for read in (read_header, read_page):
                try:
                    read(path)
                except BadInput as problem:
                    assert str(problem).startswith(f"{path}: ") and "\n" not in str(problem)
        assert read_page(folder / "zz good.png").shape == (200, 300)
    assert watch.most < MOST
