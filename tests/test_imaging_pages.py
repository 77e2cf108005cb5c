"""Every kind of image file that is opened, and every kind of file that is refused."""

from __future__ import annotations

import struct
import zlib

import numpy as np
import pypdfium2
import pytest
from PIL import Image

from spotlab.errors import BadInput
from spotlab.imaging import lean, opening
from spotlab.imaging.header import IMAGE_SUFFIXES, read_header
from spotlab.imaging.pixels import is_thumbnail_quick, read_page, thumbnail
from spotlab.imaging.pyramid import TILE, Pyramid


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
    small = thumbnail(path, frame, 20)
    assert max(small.shape[:2]) == 20 and small.ndim == pixels.ndim


LOSSLESS = [
    ("png", {}),
    ("bmp", {}),
    ("tif", {}),
    ("tif", {"compression": "tiff_lzw"}),
    ("tif", {"compression": "tiff_adobe_deflate"}),
    ("webp", {"lossless": True}),
]


@pytest.mark.parametrize(("suffix", "options"), LOSSLESS)
@pytest.mark.parametrize("page", [drawing(), colours()], ids=["grey", "colour"])
def test_lossless_formats_give_the_pixels(tmp_path, suffix, options, page):
    path = tmp_path / f"page.{suffix}"
    Image.fromarray(page).save(path, **options)
    assert_same(path, page)


@pytest.mark.parametrize("options", [{"quality": 95}, {"quality": 95, "progressive": True}])
def test_jpeg(tmp_path, options):
    for name, page in (("grey.jpg", drawing()), ("colour.jpeg", colours())):
        Image.fromarray(page).save(tmp_path / name, subsampling=0, **options)
        assert_same(tmp_path / name, page, tolerance=30)


def test_cmyk(tmp_path):
    page = Image.fromarray(colours()).convert("CMYK")
    page.save(tmp_path / "page.tif")
    assert_same(tmp_path / "page.tif", colours())
    page.save(tmp_path / "page.jpg", quality=100)
    assert_same(tmp_path / "page.jpg", colours(), tolerance=60)


@pytest.mark.parametrize("compression", ["raw", "group4", "group3", "packbits"])
@pytest.mark.parametrize("mode", ["1", "inverted"])
def test_black_and_white_tiff(tmp_path, compression, mode):
    page = np.where(drawing() < 128, 0, 255).astype(np.uint8)
    tags = {262: 0} if mode == "inverted" else {}  # photometric interpretation: white is zero
    image = Image.fromarray(page).convert("1")
    image.save(tmp_path / "page.tif", compression=compression, tiffinfo=tags)
    assert_same(tmp_path / "page.tif", page)


@pytest.mark.parametrize("suffix", ["png", "tif"])
@pytest.mark.parametrize("bits", [8, 10, 12, 16])
def test_sixteen_bit_grey(tmp_path, suffix, bits):
    top = 2**bits - 1
    page = (drawing().astype(np.uint32) * top // 255).astype(np.uint16)
    Image.fromarray(page).save(tmp_path / f"page.{suffix}")
    assert_same(tmp_path / f"page.{suffix}", drawing(), tolerance=1)


def test_sixteen_bit_colour(tmp_path):
    page = colours()
    rows = page.astype(">u2") * 257
    png = tmp_path / "page.png"
    png.write_bytes(png_bytes(60, 40, 16, 2, b"".join(b"\0" + row.tobytes() for row in rows)))
    assert_same(png, page)
    data = (page.astype("<u2") * 257).tobytes()
    fields = {256: 60, 257: 40, 259: 1, 262: 2, 273: 0, 277: 3, 278: 40, 279: len(data)}
    (tmp_path / "page.tif").write_bytes(tiff_bytes(fields, [16, 16, 16], data))
    assert_same(tmp_path / "page.tif", page)


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


def test_transparency_becomes_white(tmp_path):
    alpha = np.full((40, 60, 4), 0, np.uint8)
    alpha[10:20, 10:30] = 0, 0, 0, 255
    alpha[20:30, 10:30] = 0, 0, 0, 128
    expected = np.full((40, 60), 255, np.uint8)
    expected[10:20, 10:30] = 0
    expected[20:30, 10:30] = 127
    for suffix in ("png", "webp", "tif"):
        path = tmp_path / f"rgba.{suffix}"
        options = {"lossless": True, "exact": True} if suffix == "webp" else {}
        Image.fromarray(alpha).save(path, **options)
        assert_same(path, expected)
    Image.fromarray(alpha).convert("LA").save(tmp_path / "la.png")
    assert_same(tmp_path / "la.png", expected)


@pytest.mark.parametrize("coloured", [False, True])
def test_palette_with_transparency_becomes_white(tmp_path, coloured):
    page = np.zeros((40, 60), np.uint8)  # index 0: black and transparent
    page[10:20, 10:30] = 1
    page[5:8, 10:30] = 2
    image = Image.fromarray(page).convert("P")
    third = [200, 30, 40] if coloured else [90, 90, 90]
    image.putpalette([0, 0, 0, 0, 0, 0, *third, 1, 2, 3])
    image.save(tmp_path / "page.png", transparency=bytes([0, 255, 255]))
    expected = np.full((40, 60, 3), 255, np.uint8)
    expected[10:20, 10:30] = 0
    expected[5:8, 10:30] = third
    assert_same(tmp_path / "page.png", expected if coloured else expected[..., 0])
    image.save(tmp_path / "page.tif")  # TIFF palettes have no transparency
    assert read_page(tmp_path / "page.tif")[0, 0].max() == 0
    grey = Image.fromarray(drawing())
    grey.save(tmp_path / "key.png", transparency=100)
    assert_same(tmp_path / "key.png", np.where(drawing() == 100, 255, drawing()))


TURNS = {
    1: lambda page: page,
    2: np.fliplr,
    3: lambda page: np.rot90(page, 2),
    4: np.flipud,
    5: lambda page: np.swapaxes(page, 0, 1),
    6: lambda page: np.rot90(page, 1),
    7: lambda page: np.swapaxes(np.rot90(page, 2), 0, 1),
    8: lambda page: np.rot90(page, 3),
}


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("suffix", ["jpg", "png", "tif", "webp", "late.png"])
@pytest.mark.parametrize("large", [False, True])
def test_orientation_is_applied_once(tmp_path, monkeypatch, suffix, turn, large):
    if large:
        monkeypatch.setattr(lean, "LARGE", 0)
    upright = colours()
    stored = Image.fromarray(np.ascontiguousarray(TURNS[turn](upright)))
    path = tmp_path / f"page.{suffix}"
    if suffix == "tif":
        stored.save(path, tiffinfo={274: turn})
    else:
        exif = Image.Exif()
        exif[274] = turn
        stored.save(path, exif=exif, quality=95)
    if suffix == "late.png":  # EXIF may also stand behind the image
        data = path.read_bytes()
        at = data.index(b"eXIf") - 4
        size = 12 + int.from_bytes(data[at : at + 4])
        path.write_bytes(data[:at] + data[at + size : -12] + data[at : at + size] + data[-12:])
    assert_same(path, upright, tolerance=90 if suffix in {"jpg", "webp"} else 0)
    assert np.abs(read_page(path).astype(int) - upright).mean() < 4


def test_several_pages(tmp_path):
    pages = [drawing(), colours(50, 70), drawing(30, 30)]
    images = [Image.fromarray(page) for page in pages]
    path = tmp_path / "pages.tiff"
    images[0].save(path, save_all=True, append_images=images[1:])
    for frame, page in enumerate(pages):
        assert read_header(path, frame).frames == 3
        assert_same(path, page, frame=frame)
    for frame in (3, -1):
        with pytest.raises(BadInput, match="there is no page"):
            read_page(path, frame)


def test_an_animation_is_one_page(tmp_path):
    images = [Image.fromarray(colours()), Image.fromarray(colours()[::-1].copy())]
    path = tmp_path / "page.webp"
    images[0].save(path, save_all=True, append_images=images[1:], lossless=True)
    assert read_header(path).frames == 1
    assert_same(path, colours())


def test_a_stereo_photo_is_one_page(tmp_path):
    images = [Image.fromarray(colours()), Image.fromarray(colours()[::-1].copy())]
    path = tmp_path / "page.jpg"
    images[0].save(path, "MPO", save_all=True, append_images=images[1:])
    assert read_header(path).frames == 1
    assert_same(path, colours(), tolerance=90)


def test_which_thumbnails_are_quick(tmp_path):
    image = Image.fromarray(drawing())
    assert lean.LARGE > 20_000_000
    for name in ("page.png", "page.jpg", "page.pdf"):
        image.save(tmp_path / name)
        assert is_thumbnail_quick(tmp_path / name)
    (tmp_path / "page.png").write_bytes(png_bytes(10_000, 10_000, 8, 0, b""))
    assert not is_thumbnail_quick(tmp_path / "page.png")


def test_pdf(tmp_path):
    path = tmp_path / "pages.pdf"
    document = pypdfium2.PdfDocument.new()
    for width, height in ((144, 72), (100.3, 200.7)):
        document.new_page(width, height)
    document.save(path)
    assert read_header(path).frames == 2
    assert_same(path, np.full((200, 400), 255, np.uint8))
    assert_same(path, np.full((558, 279), 255, np.uint8), frame=1)
    with pytest.raises(BadInput, match="there is no page 3"):
        read_header(path, 2)
    document.new_page(14400, 14400)
    document.save(path)
    with pytest.raises(BadInput, match=r"1,600,000,000 px; expected at most 300,000,000 px"):
        read_header(path, 2)


def test_too_large_a_page_names_the_limit_and_its_size(tmp_path):
    path = tmp_path / "page.png"
    path.write_bytes(png_bytes(20_000, 15_001, 1, 0, b""))
    for read in (read_header, read_page, thumbnail):
        with pytest.raises(BadInput, match=r"300,020,000 px; expected at most 300,000,000 px"):
            read(path)
    path.write_bytes(png_bytes(20_000, 15_000, 1, 0, b""))
    assert read_header(path).width == 20_000


def test_what_is_no_page_is_refused_in_one_line(tmp_path):
    cases = {
        "empty.png": b"",
        "text.png": b"hello",
        "text.pdf": b"hello",
        "broken.pdf": b"%PDF-1.7 hello",
        "header.png": b"\x89PNG\r\n\x1a\n",
        "tall.png": png_bytes(60, 40, 8, 0, b"\0" * 61 * 39),
        "zero.png": png_bytes(0, 40, 8, 0, b""),
        "colour.png": png_bytes(60, 40, 8, 2, b"\0" * 61 * 40),
    }
    for name, content in cases.items():
        (tmp_path / name).write_bytes(content)
        with pytest.raises(BadInput) as caught:
            read_page(tmp_path / name)
        assert name in str(caught.value) and "\n" not in str(caught.value)
    with pytest.raises(BadInput, match="it does not exist"):
        read_header(tmp_path / "missing.png")
    (tmp_path / "folder.png").mkdir()
    with pytest.raises(BadInput, match="folder"):
        read_page(tmp_path / "folder.png")


def test_missing_rows_are_noticed_and_black_pages_are_not(tmp_path):
    path = tmp_path / "page.png"
    for interlaced in (False, True):
        for height, whole in ((40, True), (41, False)):
            path.write_bytes(black_png(60, height, interlaced))
            if whole:
                assert read_page(path).max() == 0
            else:
                with pytest.raises(BadInput):
                    read_page(path)


def black_png(width, height, interlaced):
    """A PNG with the pixels of 40 rows."""
    sizes = [(8, 5), (7, 5), (15, 5), (15, 10), (30, 10), (30, 20), (60, 20)]
    rows = b"".join(b"\0" * (1 + w) * h for w, h in (sizes if interlaced else [(60, 40)]))
    return png_bytes(width, height, 8, 0, rows, interlaced)


def test_a_name_that_lies_is_refused(tmp_path):
    Image.fromarray(drawing()).save(tmp_path / "page.jpg")
    (tmp_path / "page.jpg").rename(tmp_path / "page.png")
    with pytest.raises(BadInput, match=r"ends in \.png but the content is JPEG"):
        read_header(tmp_path / "page.png")


def test_large_pages_are_decoded_alike(tmp_path, monkeypatch):
    random = np.random.default_rng(0)
    alpha = np.dstack([colours(), random.integers(0, 256, (40, 60), np.uint8)])
    grey = np.repeat(drawing()[..., None], 3, axis=2)
    for number, page in enumerate((colours(), grey, alpha)):
        for suffix in ("png",) if page.shape[2] == 4 else ("png", "jpg", "bmp", "webp"):
            path = tmp_path / f"{number}.{suffix}"
            Image.fromarray(page).save(path)
            expected = read_page(path)
            with monkeypatch.context() as patch:
                patch.setattr(lean, "LARGE", 0)
                with opening.opened(path) as image:
                    assert lean.suits(image)
                assert np.array_equal(read_page(path), expected), path


FORMATS = [
    ("png", {}, "RGB"),
    ("png", {}, "P"),
    ("jpg", {}, "RGB"),
    ("jpg", {"progressive": True}, "L"),
    ("bmp", {}, "RGB"),
    ("webp", {}, "RGB"),
    ("webp", {"lossless": True}, "RGB"),
    ("tif", {}, "RGB"),
    ("tif", {"compression": "group4"}, "1"),
    ("tif", {"compression": "tiff_lzw"}, "L"),
    ("tif", {"compression": "jpeg"}, "RGB"),
    ("pdf", {}, "L"),
]


def intact(tmp_path, suffix, options, mode):
    path = tmp_path / f"intact.{suffix}"
    page = colours(120, 90)
    page[40:80] = np.random.default_rng(0).integers(0, 256, (40, 120, 3))
    Image.fromarray(page).convert(mode).save(path, **options)
    return path.read_bytes(), read_page(path)


@pytest.mark.parametrize(("suffix", "options", "mode"), FORMATS)
@pytest.mark.parametrize("large", [False, True])
def test_a_file_cut_off_is_refused_or_whole(tmp_path, monkeypatch, suffix, options, mode, large):
    content, page = intact(tmp_path, suffix, options, mode)
    if large:
        monkeypatch.setattr(lean, "LARGE", 0)
    path = tmp_path / f"cut.{suffix}"
    refused = 0
    for size in [*np.linspace(0, len(content) - 1, 40).astype(int), len(content) - 1]:
        path.write_bytes(content[:size])
        try:
            assert np.array_equal(read_page(path), page), f"cut after {size} of {len(content)}"
        except BadInput:
            refused += 1
    assert refused >= 30


@pytest.mark.parametrize(("suffix", "options", "mode"), FORMATS)
def test_a_damaged_file_is_refused_or_opened(tmp_path, suffix, options, mode):
    content, _ = intact(tmp_path, suffix, options, mode)
    path = tmp_path / f"damaged.{suffix}"
    random = np.random.default_rng(1)
    for _ in range(60):
        damaged = bytearray(content)
        front = random.integers(2)  # headers matter most
        for at in random.integers(0, 200 if front else len(damaged), random.integers(1, 6)):
            damaged[min(at, len(damaged) - 1)] = random.integers(256)
        path.write_bytes(damaged)
        for read in (read_header, read_page, thumbnail):
            try:
                read(path)
            except BadInput as problem:
                assert "\n" not in str(problem)


@pytest.mark.parametrize("shape", [(1, 1), (512, 512), (700, 1301), (1025, 3), (2047, 1023, 3)])
def test_the_pyramid_averages(shape):
    random = np.random.default_rng(0)
    page = random.integers(0, 256, shape, np.uint8)
    pyramid = Pyramid(page)
    level = page
    for number in range(pyramid.levels):
        height, width = level.shape[:2]
        assert pyramid.level_size(number) == (width, height)
        for row in range(-(-height // TILE)):
            for column in range(-(-width // TILE)):
                tile = pyramid.tile(number, column, row)
                part = level[row * TILE : (row + 1) * TILE, column * TILE : (column + 1) * TILE]
                assert tile.shape == part.shape and tile.flags.c_contiguous
                assert np.abs(tile.astype(int) - part).max() <= number
        assert pyramid.tile(number, 99, 0).size == 0
        padding = [(0, height % 2), (0, width % 2)] + [(0, 0)] * (page.ndim - 2)
        padded = np.pad(level.astype(float), padding, mode="edge")
        quads = padded[::2, ::2], padded[1::2, ::2], padded[::2, 1::2], padded[1::2, 1::2]
        level = np.rint(np.mean(quads, axis=0)).astype(np.uint8)
    assert max(pyramid.level_size(pyramid.levels - 1)) <= TILE


def test_thin_lines_stay_visible_at_fit_zoom():
    """Visible: darker than paper by 1 % of the range, at every place along the line.

    That is what a dark grey on white can still be told by; a line that is one px wide at 1/16 keeps
    6 % of its darkness.
    """
    random = np.random.default_rng(3)
    width, height = 9500, 6700
    page = np.full((height, width), 255, np.uint8)
    rows = random.choice(height // 40, 80, replace=False) * 40 + random.integers(0, 20, 80)
    columns = random.choice(width // 40, 80, replace=False) * 40 + random.integers(0, 20, 80)
    page[rows] = 0
    page[:, columns] = 0
    pyramid = Pyramid(page)
    shown = next(number for number in range(pyramid.levels) if pyramid.level_size(number)[0] < 1200)
    size = pyramid.level_size(shown)
    tiles = [
        [pyramid.tile(shown, column, row) for column in range(-(-size[0] // TILE))]
        for row in range(-(-size[1] // TILE))
    ]
    small = np.block(tiles)
    factor = 2**shown
    paper = np.delete(np.delete(small, rows // factor, axis=0), columns // factor, axis=1).min()
    seen = [(small[row // factor] <= paper - 3).all() for row in rows]
    seen += [(small[:, column // factor] <= paper - 3).all() for column in columns]
    assert np.mean(seen) >= 0.99


def test_suffixes():
    assert {".png", ".jpg", ".tiff", ".webp", ".bmp", ".pdf"} <= IMAGE_SUFFIXES
