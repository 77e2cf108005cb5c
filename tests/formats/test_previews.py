"""Small pictures of large pages that are kept between starts: right, or not found."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from spotlab.formats.store import SIDE, PagePreview, find_preview

WIDTH, HEIGHT = 4200, 3000


def page(colour: tuple[int, int, int] | int) -> np.ndarray:
    """Paper with a large dark box in its upper left quarter."""
    pixels = np.full((HEIGHT, WIDTH, 3) if isinstance(colour, tuple) else (HEIGHT, WIDTH), 250)
    pixels[: HEIGHT // 2, : WIDTH // 2] = colour
    return pixels.astype(np.uint8)


def write(path: Path, pixels: np.ndarray) -> Path:
    Image.fromarray(pixels).save(path, compress_level=1)
    return path


def find(image: Path, folder: Path) -> PagePreview:
    preview = find_preview(image, folder=folder)
    assert preview is not None
    return preview


@pytest.mark.parametrize("colour", [40, (200, 30, 60)])
def test_a_page_is_found_again_whatever_it_is_called(tmp_path: Path, colour: object) -> None:
    pixels = page(colour)
    image = write(tmp_path / "one.png", pixels)
    assert find(image, tmp_path / "kept").read() is None
    find(image, tmp_path / "kept").write(pixels)
    small = find(image.rename(tmp_path / "moved.png"), tmp_path / "kept").read()
    assert small is not None and max(small.shape[:2]) == SIDE and small.ndim == pixels.ndim
    for y, x in ((0.25, 0.25), (0.75, 0.25), (0.25, 0.75)):
        here = small[int(y * small.shape[0]), int(x * small.shape[1])].astype(int)
        assert np.abs(here - pixels[int(y * HEIGHT), int(x * WIDTH)]).max() <= 4


def test_another_page_of_the_same_size_and_time_is_another(tmp_path: Path) -> None:
    image = tmp_path / "page.bmp"  # its size does not depend on what it shows
    Image.fromarray(page(40)).save(image)
    then = image.stat()
    find(image, tmp_path / "kept").write(page(40))
    Image.fromarray(page(90)).save(image)
    os.utime(image, ns=(then.st_atime_ns, then.st_mtime_ns))
    assert image.stat().st_size == then.st_size
    assert find(image, tmp_path / "kept").read() is None


def test_an_image_that_changes_while_it_is_read_is_not_kept(tmp_path: Path) -> None:
    image = write(tmp_path / "page.png", page(40))
    preview = find(image, tmp_path / "kept")
    write(image, page(90))
    preview.write(page(90))
    write(image, page(40))
    assert find(image, tmp_path / "kept").read() is None


def test_a_damaged_picture_is_made_anew(tmp_path: Path) -> None:
    image = write(tmp_path / "page.png", page(40))
    preview = find(image, tmp_path / "kept")
    preview.write(page(40))
    whole = preview.file.read_bytes()
    for damaged in (b"", whole[:-20], whole[:200] + bytes([whole[200] ^ 1]) + whole[201:]):
        preview.file.write_bytes(damaged)
        assert preview.read() is None
    preview.write(page(40))
    assert preview.read() is not None


def test_each_page_of_a_file_has_its_own_and_small_ones_none(tmp_path: Path) -> None:
    pages = [Image.fromarray(page(40)), Image.fromarray(page(90))]
    image = tmp_path / "pages.tif"
    pages[0].save(image, save_all=True, append_images=pages[1:], compression="tiff_lzw")
    find(image, tmp_path / "kept").write(page(40))
    second = find_preview(image, 1, tmp_path / "kept")
    assert second is not None and second.read() is None
    small = write(tmp_path / "small.png", page(40)[:1000, :1000])
    assert find_preview(small, folder=tmp_path / "kept") is None
