"""Image files that are damaged, too large or something else: one message, never a wrong page."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from spotlab.errors import BadInput
from spotlab.imaging.reading import large_images
from spotlab.imaging.reading.decoding import decode_page
from spotlab.imaging.reading.pixels import read_header, read_page, read_thumbnail
from tests.imaging.image_files import colours, drawing, png_bytes


def test_too_large_a_page_names_the_limit_and_its_size(tmp_path):
    path = tmp_path / "page.png"
    path.write_bytes(png_bytes(20_000, 15_001, 1, 0, b""))
    for read in (read_header, read_page, read_thumbnail):
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


@pytest.mark.parametrize(
    ("name", "content"), [("a.png", "JPEG"), ("a.jpg", "PNG"), ("a.tif", "PNG"), ("a.bmp", "WEBP")]
)
def test_an_image_is_known_by_its_content_whatever_its_name_says(tmp_path, name, content):
    Image.fromarray(drawing()).save(tmp_path / name, content)
    header = read_header(tmp_path / name)
    pixels = read_page(tmp_path / name, 0)
    assert pixels.shape[:2] == (header.height, header.width)


FORMATS = [
    ("png", {}, "RGB"),
    ("png", {}, "P"),
    ("png", {}, "I;16"),
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
    image = Image.fromarray(page)
    if mode == "I;16":
        image = Image.fromarray(page[..., 0].astype(np.uint16) * 257)
    else:
        image = image.convert(mode)
    image.save(path, **options)
    return path.read_bytes(), read_page(path)


@pytest.mark.parametrize(("suffix", "options", "mode"), FORMATS)
@pytest.mark.parametrize("large", [False, True])
def test_a_file_cut_off_is_refused_or_whole(tmp_path, monkeypatch, suffix, options, mode, large):
    content, page = intact(tmp_path, suffix, options, mode)
    if large:
        monkeypatch.setattr(large_images, "LARGE", 0)
    path = tmp_path / f"cut.{suffix}"
    refused = 0
    for size in [*np.linspace(0, len(content) - 1, 40).astype(int), len(content) - 1]:
        path.write_bytes(content[:size])
        try:
            assert np.array_equal(decode_page(path), page), f"cut after {size} of {len(content)}"
        except BadInput:
            refused += 1
    assert refused >= 30


@pytest.mark.slow
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
        for read in (read_header, read_page, read_thumbnail):
            try:
                read(path)
            except BadInput as problem:
                assert "\n" not in str(problem)
