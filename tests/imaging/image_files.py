"""Pages, and image files made byte by byte, for the tests of opening them."""

from __future__ import annotations

import struct
import zlib

import numpy as np

from spotlab.imaging.header import read_header
from spotlab.imaging.pixels import read_page, read_thumbnail


def drawing(width=60, height=40):
    """A page on which turning, mirroring and shifting show."""
    page = np.full((height, width), 255, np.uint8)
    page[2:6, 3:30] = 0
    page[2:30, 3:6] = 100
    return page


def colours(width=60, height=40):
    page = np.repeat(drawing(width, height)[..., None], 3, axis=2)
    page[20:30, 30:50] = 200, 30, 40
    return page


def assert_same(path, expected, tolerance=0, frame=0):
    pixels = read_page(path, frame)
    header = read_header(path, frame)
    assert (header.width, header.height) == expected.shape[1::-1]
    assert pixels.shape == expected.shape and pixels.dtype == np.uint8
    assert np.abs(pixels.astype(int) - expected).max() <= tolerance
    small = read_thumbnail(path, frame, 20)
    assert max(small.shape[:2]) == 20 and small.ndim == pixels.ndim


def png_bytes(width, height, depth, colour, rows, interlaced=False):
    def chunk(kind, content):
        checksum = zlib.crc32(kind + content)
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", checksum)

    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, interlaced)
    body = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows))
    return b"\x89PNG\r\n\x1a\n" + body + chunk(b"IEND", b"")


def tiff_bytes(fields, bits, data):
    """A little-endian TIFF of one strip."""
    entries = sorted([*fields.items(), (258, None)])
    after = 8 + 2 + 12 * len(entries) + 4
    written = b"II*\0" + struct.pack("<IH", 8, len(entries))
    for tag, value in entries:
        if tag == 258:
            written += struct.pack("<HHII", tag, 3, len(bits), after)
        else:
            offset = after + 2 * len(bits)
            written += struct.pack("<HHII", tag, 4, 1, offset if tag == 273 else value)
    return written + struct.pack("<I", 0) + struct.pack(f"<{len(bits)}H", *bits) + data
