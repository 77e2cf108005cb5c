"""Pages, and image files made byte by byte, for the tests of opening them."""

from __future__ import annotations

import io
import struct
import zlib

import numpy as np
from PIL import Image

from spotlab.imaging.reading.decoding import decode_page, decode_thumbnail
from spotlab.imaging.reading.pixels import read_header, read_page


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
    """By a worker, and in this process, where tests change what counts as large."""
    assert read_page(path, frame).shape == expected.shape
    pixels = decode_page(path, frame)
    header = read_header(path, frame)
    assert (header.width, header.height) == expected.shape[1::-1]
    assert pixels.shape == expected.shape and pixels.dtype == np.uint8
    assert np.abs(pixels.astype(int) - expected).max() <= tolerance
    small = decode_thumbnail(path, frame, 20)
    assert max(small.shape[:2]) == 20 and small.ndim == pixels.ndim


def png_bytes(width, height, depth, colour, rows, interlaced=False, palette=b""):
    def chunk(kind, content):
        checksum = zlib.crc32(kind + content)
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", checksum)

    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, interlaced)
    colours = chunk(b"PLTE", palette) if palette else b""
    body = chunk(b"IHDR", header) + colours + chunk(b"IDAT", zlib.compress(rows))
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


def tiled_tiff_bytes(image, width, height, quality=0, fill_order=1, **options):
    """A TIFF of tiles of this size, encoded by Pillow; with a quality, as YCbCr in JPEG."""
    fields, contents = {}, []
    for top in range(0, image.height, height):
        for left in range(0, image.width, width):
            tile = image.crop((left, top, left + width, top + height))
            file = io.BytesIO()
            if quality:
                tile.save(file, "JPEG", quality=quality)
                contents.append(file.getvalue())
                fields = {259: (7,), 262: (6,), 530: (2, 2)}
                continue
            tile.save(file, "TIFF", strip_size=2**31 - 1, **options)
            with Image.open(file) as saved:
                tags = saved.tag_v2
                start, size = tags[273][0], tags[279][0]
                fields = {tag: (tags[tag],) for tag in (259, 262, 317) if tag in tags}
                fields |= {347: tags[347]} if 347 in tags else {}
            contents.append(file.getvalue()[start : start + size])
    if fill_order == 2:
        reverse = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))
        contents = [content.translate(reverse) for content in contents]
        fields[266] = (2,)
    bits = (1,) if image.mode == "1" else (8,) * len(image.getbands())
    sizes = [len(content) for content in contents]
    fields |= {256: (image.width,), 257: (image.height,), 258: bits, 277: (len(bits),)}
    fields |= {322: (width,), 323: (height,), 324: sizes, 325: sizes}
    place = 8 + 2 + 12 * len(fields) + 4
    values = {tag: (_longs(v), len(v)) if tag != 347 else (v, len(v)) for tag, v in fields.items()}
    start = place + sum(len(value) for value, _ in values.values() if len(value) > 4)
    starts = [start + sum(sizes[:number]) for number in range(len(sizes))]
    values[324] = _longs(starts), len(starts)
    directory, more = b"", b""
    for tag, (value, count) in sorted(values.items()):
        entry = value
        if len(value) > 4:
            entry = struct.pack("<I", place + len(more))
            more += value
        directory += struct.pack("<HHI4s", tag, 7 if tag == 347 else 4, count, entry)
    head = struct.pack("<2sHIH", b"II", 42, 8, len(fields)) + directory + bytes(4)
    return b"".join((head, more, *contents))


def _longs(values):
    return struct.pack(f"<{len(values)}I", *values)
