"""What is shown of a page while it is being decoded: what is there, and paper below."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from spotlab.imaging.reading import large_images
from spotlab.imaging.reading.decoding import decode_page
from spotlab.imaging.reading.pixels import GrowingPage, read_page, shrink

SHAPE = (1600, 1203)


@pytest.mark.parametrize("shape", [SHAPE, (*SHAPE, 3)])
def test_rows_show_as_they_come_and_what_is_missing_is_white(shape: tuple[int, ...]) -> None:
    page = np.random.default_rng(0).integers(90, 110, shape, np.uint8)
    growing, filling = GrowingPage(200), np.zeros_like(page)
    assert growing.look() is None
    with growing.showing(filling):
        assert growing.look() is None
        for there in (450, 900, 1600):
            filling[:there] = page[:there]
            small = growing.look()
            assert small is not None
            assert small.shape == (200, 151, *shape[2:])
            shown = int((small < 255).reshape(200, -1).all(axis=1).sum())
            assert there // 8 - 13 <= shown <= there // 8  # a sixteenth of the page less at most
            assert np.abs(small[:shown].astype(int) - 100).max() <= 10
            assert (small[shown:] == 255).all()
            assert growing.look() is None, "nothing new has come"
    assert growing.look() is None, "the pixels are somebody else's now"


@pytest.mark.parametrize("bits", [10, 12, 16])
def test_grey_of_16_bits_is_shown_as_bright_as_it_is_read(tmp_path: Path, bits: int) -> None:
    page = np.random.default_rng(0).integers(0, 2**bits, SHAPE).astype(np.uint16)
    Image.fromarray(page).save(tmp_path / "page.png")
    expected = shrink(read_page(tmp_path / "page.png"), 200)
    growing, filling = GrowingPage(200), np.zeros_like(page)
    with growing.showing(filling):
        for there in (450, 900):
            filling[:there] = page[:there]
            small = growing.look()
    assert small is not None and small.dtype == np.uint8
    assert np.abs(small[:100].astype(int) - expected[:100]).max() <= 1


def test_a_page_on_its_side_is_shown_upright() -> None:
    growing, filling = GrowingPage(200), np.zeros(SHAPE, np.uint8)
    with growing.showing(filling, orientation=6):  # a quarter turn clockwise: the top is right
        filling[:900] = 100
        small = growing.look()
    assert small is not None and small.shape == (151, 200)
    assert (small[:, -100:] == 100).all() and (small[:, :80] == 255).all()


@pytest.mark.parametrize(
    ("suffix", "mode"),
    [("png", "L"), ("png", "RGB"), ("png", "RGBA"), ("jpg", "L"), ("jpg", "RGB")],
)
def test_decoding_shows_the_page_and_gives_it_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str, mode: str
) -> None:
    monkeypatch.setattr(large_images, "LARGE", 0)
    pixels = np.random.default_rng(0).integers(90, 110, SHAPE, np.uint8)
    path = tmp_path / f"page.{suffix}"
    Image.fromarray(pixels).convert(mode).save(path)
    looks: list[np.ndarray] = []
    growing = GrowingPage(200)
    really = large_images.cv2.imread

    def decode_and_look(*args: object) -> object:
        decoded = really(*args)
        small = growing.look()
        if small is not None:
            looks.append(small)
        return decoded

    monkeypatch.setattr(large_images, "cv2", Decoder(large_images.cv2, decode_and_look))
    assert np.array_equal(decode_page(path, showing=growing.showing), decode_page(path))
    assert len(looks) == 1 and looks[0].shape[:2] == (200, 151)
    assert np.abs(looks[0][:150].astype(int) - 100).max() <= 10
    assert growing.look() is None


def test_what_is_transparent_shows_as_paper() -> None:
    growing, filling = GrowingPage(200), np.zeros((*SHAPE, 4), np.uint8)
    with growing.showing(filling):
        filling[:900] = 10, 20, 30, 255  # blue, green, red, alpha
        filling[:400, :400] = 10, 20, 30, 0
        small = growing.look()
    assert small is not None and small.shape == (200, 151, 3)
    assert (small[:48, :48] == 255).all()
    assert (small[60:100] == (30, 20, 10)).all()


class Decoder:
    """OpenCV with another way to read files."""

    def __init__(self, really: object, imread: object) -> None:
        self._really = really
        self.imread = imread

    def __getattr__(self, name: str) -> object:
        return getattr(self._really, name)
