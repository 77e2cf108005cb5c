"""Large TIFF pages are decoded some strips or tiles at a time: the same page, or a refusal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from spotlab.errors import BadInput
from spotlab.imaging.reading import large_images
from spotlab.imaging.reading.decoding import decode_page
from spotlab.imaging.reading.image_file import open_image
from spotlab.imaging.reading.pixels import GrowingPage
from spotlab.imaging.reading.pyramid import shrink
from tests.imaging.image_files import colours, drawing, tiled_tiff_bytes

COMPRESSIONS = ["raw", "tiff_lzw", "tiff_adobe_deflate", "tiff_deflate", "packbits"]


@pytest.fixture(autouse=True)
def every_page_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large_images, "LARGE", 0)
    monkeypatch.setattr(large_images, "BAND_PIXELS", 1500)


def save(path: Path, pixels: np.ndarray, rows: int = 7, **options: object) -> Path:
    if options.get("compression") == "raw":  # which Pillow writes as one strip
        flags = [cv2.IMWRITE_TIFF_COMPRESSION, 1, cv2.IMWRITE_TIFF_ROWSPERSTRIP, rows]
        cv2.imwrite(str(path), pixels[..., ::-1] if pixels.ndim == 3 else pixels, flags)
    else:
        Image.fromarray(pixels).save(path, strip_size=rows * pixels[0].nbytes, **options)
    return path


def in_segments(path: Path, frame: int = 0) -> bool:
    with open_image(path, frame) as image:
        return large_images.find_segments(image) is not None


def noisy(pixels: np.ndarray) -> np.ndarray:
    pixels[10:30] = np.random.default_rng(0).integers(0, 256, pixels[10:30].shape)
    return pixels


@pytest.mark.parametrize("compression", COMPRESSIONS)
def test_pages_in_strips_are_read_as_they_are(tmp_path: Path, compression: str) -> None:
    grey = noisy(drawing())
    for number, page in enumerate((grey, noisy(colours()), np.repeat(grey[..., None], 3, 2))):
        path = save(tmp_path / f"{number}.tif", page, compression=compression)
        assert in_segments(path)
        assert np.array_equal(decode_page(path), grey if number != 1 else page)


def test_fields_that_change_the_pixels_are_heeded(tmp_path: Path) -> None:
    page = noisy(drawing())
    options = {"compression": "tiff_lzw"}
    inverted = save(tmp_path / "inverted.tif", page, tiffinfo={262: 0}, **options)
    with Image.open(inverted) as image:
        expected = np.asarray(image)
    assert in_segments(inverted) and np.array_equal(decode_page(inverted), expected)
    predicted = save(tmp_path / "predicted.tif", noisy(colours()), tiffinfo={317: 2}, **options)
    assert in_segments(predicted) and np.array_equal(decode_page(predicted), noisy(colours()))
    turned = save(tmp_path / "turned.tif", page, tiffinfo={274: 6}, **options)
    assert not in_segments(turned) and decode_page(turned).shape == page.shape[::-1]


def test_each_page_of_a_file_is_read(tmp_path: Path) -> None:
    pages = [noisy(drawing()), noisy(drawing())[::-1].copy()]
    path = save(
        tmp_path / "pages.tif", pages[0], save_all=True, compression="tiff_adobe_deflate",
        append_images=[Image.fromarray(pages[1])],
    )  # fmt: skip
    for frame, page in enumerate(pages):
        assert in_segments(path, frame)
        assert np.array_equal(decode_page(path, frame), page)


@pytest.mark.parametrize("mode", ["P", "LA", "RGBA", "I;16", "CMYK"])
def test_other_pixels_are_left_to_others(tmp_path: Path, mode: str) -> None:
    image = Image.fromarray(drawing().astype(np.uint16)) if mode == "I;16" else None
    image = image or Image.fromarray(colours()).convert(mode)
    image.save(tmp_path / "page.tif", strip_size=200)
    assert not in_segments(tmp_path / "page.tif")
    assert decode_page(tmp_path / "page.tif").shape[:2] == (40, 60)


GENERAL = ("raw", "tiff_lzw", "tiff_adobe_deflate", "packbits")
COMPRESSED = {
    "1": (*GENERAL, "group3", "group4", "tiff_ccitt"), "L": (*GENERAL, "jpeg"),
    "RGB": (*GENERAL, "jpeg", "YCbCr"),
}  # fmt: skip


@st.composite
def stored_pages(draw: st.DrawFn) -> bytes:
    """A TIFF of several strips or tiles, stored in any way that is decoded by segments."""
    mode = draw(st.sampled_from(sorted(COMPRESSED)))
    width, height = draw(st.integers(1, 70)), draw(st.integers(17, 90))
    random = np.random.default_rng(draw(st.integers(0, 1000)))
    blocks = random.integers(0, 256, (3, 3) if mode != "RGB" else (3, 3, 3), np.uint8)
    page = np.kron(blocks, np.ones((30, 30) + (1,) * (blocks.ndim - 2), np.uint8))[:height, :width]
    page[: height // 2] |= random.integers(0, 8, page[: height // 2].shape, np.uint8)
    image = Image.fromarray(page).convert(mode)
    compression = draw(st.sampled_from(COMPRESSED[mode]))
    tags: dict[int, int] = {}
    if mode != "RGB":
        tags[262] = draw(st.sampled_from((0, 1)))  # white or black is 0
    if mode != "1" and compression in {"tiff_lzw", "tiff_adobe_deflate"}:
        tags[317] = draw(st.sampled_from((1, 2)))  # the predictor
    how: dict[str, Any] = {"compression": compression, "tiffinfo": tags}
    if draw(st.booleans()) or compression == "YCbCr":
        if compression == "YCbCr":
            how = {"quality": 80}
        elif mode == "1" and compression != "packbits":
            how["fill_order"] = draw(st.sampled_from((1, 2)))
        return tiled_tiff_bytes(image, draw(st.sampled_from((16, 48))), 16, **how)
    with TemporaryDirectory() as folder:
        path = Path(folder, "page.tif")
        rows = 8 if compression == "jpeg" else draw(st.integers(1, 16))
        if compression == "tiff_adobe_deflate" and draw(st.booleans()):
            rows = height
        row = (width + 7) // 8 if mode == "1" else page[0].nbytes
        image.save(path, strip_size=rows * row, **how)
        return path.read_bytes()


@pytest.mark.slow
@given(stored_pages())
def test_every_way_to_store_a_page_gives_the_pixels_that_pillow_gives(content: bytes) -> None:
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        path = Path(folder, "page.tif")
        path.write_bytes(content)
        with Image.open(path) as image:
            patch.setattr(large_images, "BAND_PIXELS", 16 * image.width)
        patch.setattr(large_images, "LARGE", 0)
        assert in_segments(path)
        pixels = decode_page(path)
        patch.setattr(large_images, "LARGE", 10_000)
        assert not in_segments(path)
        assert np.array_equal(pixels, decode_page(path))


def kinds_to_damage() -> dict[str, bytes]:
    page = noisy(colours())
    grey = Image.fromarray(page).convert("L")
    with TemporaryDirectory() as folder:
        path = Path(folder, "page.tif")
        files = {kind: save(path, page, compression=kind).read_bytes() for kind in COMPRESSIONS}
        grey.convert("1").save(path, compression="group4", strip_size=64)
        files["group4"] = path.read_bytes()
        grey.save(path, compression="tiff_adobe_deflate", tiffinfo={317: 2}, strip_size=10_000)
        files["one deflated strip"] = path.read_bytes()
    files["tiles"] = tiled_tiff_bytes(grey, 16, 16, compression="tiff_lzw")
    files["uncompressed tiles"] = tiled_tiff_bytes(Image.fromarray(page), 32, 16)
    files["YCbCr tiles"] = tiled_tiff_bytes(Image.fromarray(page), 16, 16, quality=80)
    return files


DAMAGED = kinds_to_damage()


@pytest.mark.slow
@pytest.mark.parametrize("content", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_page_is_refused_or_read(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "damaged.tif"
    path.write_bytes(content)
    assert in_segments(path)
    page = decode_page(path)
    refused = 0
    for size in np.linspace(len(content) // 4, len(content) - 1, 20).astype(int):
        path.write_bytes(content[:size])
        try:
            assert np.array_equal(decode_page(path), page)
        except BadInput as problem:
            refused += 1
            assert "\n" not in str(problem)
    assert refused >= 15
    random = np.random.default_rng(1)
    for _ in range(60):
        damaged = bytearray(content)
        for at in random.integers(0, len(damaged), 4):
            damaged[at] = random.integers(256)
        path.write_bytes(damaged)
        try:
            decode_page(path)
        except BadInput as problem:
            assert "\n" not in str(problem)


@pytest.mark.parametrize("kind", ["strips", "raw", "tiff_adobe_deflate", "tiles"])
def test_the_upper_part_shows_first(tmp_path: Path, kind: str) -> None:
    page, path = np.full((640, 300), 90, np.uint8), tmp_path / "page.tif"
    if kind == "tiles":
        path.write_bytes(tiled_tiff_bytes(Image.fromarray(page), 32, 16))
    elif kind == "strips":
        save(path, page, 8, compression="packbits")
    else:
        save(path, page, 640, compression=kind)
    growing = GrowingPage(40)
    shown: list[int] = []

    def look(done: int, total: int | None, doing: str) -> None:
        small = growing.look()
        if small is not None:
            shown.append(int((small < 255).all(axis=1).sum()))

    decode_page(path, progress=look, showing=growing.showing)
    assert len(shown) > 5 and shown == sorted(shown) and shown[-1] <= 40


class Witness(GrowingPage):
    """Remembers what shows of a page when its decoding begins."""

    seen: np.ndarray | None = None

    @contextmanager
    def showing(self, pixels: np.ndarray, orientation: int = 1) -> Iterator[None]:
        with super().showing(pixels, orientation):
            self.seen = self.look()
            yield


ONE_STRIP = [
    ("1", "group4"), ("1", "group3"), ("1", "tiff_lzw"), ("L", "tiff_lzw"), ("RGB", "tiff_lzw"),
    ("RGB", "packbits"), ("RGB", "zstd"), ("L", "jpeg"), ("RGB", "jpeg"),
]  # fmt: skip


@pytest.mark.parametrize(
    "below", [256, 101]
)  # the rest is as the top, or so simple that it is short
@pytest.mark.parametrize(("mode", "compression"), ONE_STRIP)
def test_the_top_of_a_compressed_strip_shows_before_the_rest_is_decoded(
    tmp_path: Path, mode: str, compression: str, below: int
) -> None:
    page = np.random.default_rng(0).integers(100, 256, (640, 300, 3), np.uint8)
    page[48:] = np.random.default_rng(1).integers(100, below, (592, 300, 3))
    image = Image.fromarray(page).convert(mode)
    path = tmp_path / "page.tif"
    image.save(path, compression=compression, strip_size=2**31 - 1)
    assert not in_segments(path)
    witness = Witness(40)
    pixels = decode_page(path, showing=witness.showing)
    assert np.array_equal(pixels, decode_page(path))
    small = shrink(pixels, 40)
    assert witness.seen is not None and witness.seen.shape == small.shape
    assert np.abs(witness.seen[:2].astype(int) - small[:2]).max() <= 10
    assert (witness.seen[3:] == 255).all()


def test_a_damaged_strip_is_refused_as_it_is_without_anybody_looking(tmp_path: Path) -> None:
    path = tmp_path / "page.tif"
    noise = np.random.default_rng(0).integers(0, 256, (640, 300), np.uint8)
    Image.fromarray(noise).save(path, compression="tiff_lzw", strip_size=2**31 - 1)
    with Image.open(path) as image:
        start = image.tag_v2[273][0]
    content = bytearray(path.read_bytes())
    content[start : start + 50] = b"\xff" * 50
    path.write_bytes(content)
    with pytest.raises(BadInput) as alone:
        decode_page(path)
    witness = Witness(40)
    with pytest.raises(BadInput) as watched:
        decode_page(path, showing=witness.showing)
    assert str(watched.value) == str(alone.value) and witness.seen is None
