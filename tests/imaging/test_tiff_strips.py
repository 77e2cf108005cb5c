"""Large TIFF pages are decoded some strips at a time: the same page, or the same refusal."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from spotlab.errors import BadInput
from spotlab.imaging import opencv_decoder, tiff_strips
from spotlab.imaging.growing_page import GrowingPage
from spotlab.imaging.image_file import open_image
from spotlab.imaging.pixels import read_page
from tests.imaging.image_files import colours, drawing

COMPRESSIONS = ["raw", "tiff_lzw", "tiff_adobe_deflate", "tiff_deflate", "packbits"]


@pytest.fixture(autouse=True)
def every_page_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opencv_decoder, "LARGE", 0)
    monkeypatch.setattr(tiff_strips, "_BAND_PIXELS", 1500)


def save(path: Path, pixels: np.ndarray, rows: int = 7, **options: object) -> Path:
    if options.get("compression") == "raw":  # which Pillow writes as one strip
        flags = [cv2.IMWRITE_TIFF_COMPRESSION, 1, cv2.IMWRITE_TIFF_ROWSPERSTRIP, rows]
        cv2.imwrite(str(path), pixels[..., ::-1] if pixels.ndim == 3 else pixels, flags)
    else:
        Image.fromarray(pixels).save(path, strip_size=rows * pixels[0].nbytes, **options)
    return path


def in_strips(path: Path, frame: int = 0) -> bool:
    with open_image(path, frame) as image:
        return tiff_strips.find_strips(image) is not None


def noisy(pixels: np.ndarray) -> np.ndarray:
    pixels[10:30] = np.random.default_rng(0).integers(0, 256, pixels[10:30].shape)
    return pixels


@pytest.mark.parametrize("compression", COMPRESSIONS)
def test_pages_in_strips_are_read_as_they_are(tmp_path: Path, compression: str) -> None:
    grey = noisy(drawing())
    for number, page in enumerate((grey, noisy(colours()), np.repeat(grey[..., None], 3, 2))):
        path = save(tmp_path / f"{number}.tif", page, compression=compression)
        assert in_strips(path)
        assert np.array_equal(read_page(path), grey if number != 1 else page)


def test_fields_that_change_the_pixels_are_heeded(tmp_path: Path) -> None:
    page = noisy(drawing())
    options = {"compression": "tiff_lzw"}
    inverted = save(tmp_path / "inverted.tif", page, tiffinfo={262: 0}, **options)
    with Image.open(inverted) as image:
        expected = np.asarray(image)
    assert in_strips(inverted) and np.array_equal(read_page(inverted), expected)
    predicted = save(tmp_path / "predicted.tif", noisy(colours()), tiffinfo={317: 2}, **options)
    assert in_strips(predicted) and np.array_equal(read_page(predicted), noisy(colours()))
    turned = save(tmp_path / "turned.tif", page, tiffinfo={274: 6}, **options)
    assert not in_strips(turned) and read_page(turned).shape == page.shape[::-1]


def test_each_page_of_a_file_is_read(tmp_path: Path) -> None:
    pages = [noisy(drawing()), noisy(drawing())[::-1].copy()]
    path = save(
        tmp_path / "pages.tif", pages[0], save_all=True, compression="tiff_adobe_deflate",
        append_images=[Image.fromarray(pages[1])],
    )  # fmt: skip
    for frame, page in enumerate(pages):
        assert in_strips(path, frame)
        assert np.array_equal(read_page(path, frame), page)


@pytest.mark.parametrize("mode", ["1", "P", "LA", "RGBA", "I;16", "CMYK"])
def test_other_pixels_are_left_to_others(tmp_path: Path, mode: str) -> None:
    image = Image.fromarray(drawing().astype(np.uint16)) if mode == "I;16" else None
    image = image or Image.fromarray(colours()).convert(mode)
    image.save(tmp_path / "page.tif", strip_size=200)
    assert not in_strips(tmp_path / "page.tif")
    assert read_page(tmp_path / "page.tif").shape[:2] == (40, 60)


@pytest.mark.parametrize("compression", COMPRESSIONS)
def test_a_damaged_strip_is_refused_or_read(tmp_path: Path, compression: str) -> None:
    page = noisy(colours())
    content = save(tmp_path / "page.tif", page, compression=compression).read_bytes()
    path = tmp_path / "damaged.tif"
    refused = 0
    for size in np.linspace(len(content) // 4, len(content) - 1, 20).astype(int):
        path.write_bytes(content[:size])
        try:
            assert np.array_equal(read_page(path), page)
        except BadInput:
            refused += 1
    assert refused >= 15
    random = np.random.default_rng(1)
    for _ in range(60):
        damaged = bytearray(content)
        for at in random.integers(0, len(damaged), 4):
            damaged[at] = random.integers(256)
        path.write_bytes(damaged)
        try:
            read_page(path)
        except BadInput as problem:
            assert "\n" not in str(problem)


def test_the_upper_strips_show_first(tmp_path: Path) -> None:
    path = save(tmp_path / "page.tif", np.full((640, 300), 90, np.uint8), 8, compression="packbits")
    growing = GrowingPage(40)
    shown: list[int] = []

    def look(done: int, total: int | None, doing: str) -> None:
        small = growing.look()
        if small is not None:
            shown.append(int((small < 255).all(axis=1).sum()))

    read_page(path, progress=look, growing=growing)
    assert len(shown) > 5 and shown == sorted(shown) and shown[-1] <= 40
