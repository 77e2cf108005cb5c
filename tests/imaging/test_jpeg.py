"""A small picture of a progressive JPEG page takes the beginning of its file only."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from spotlab.errors import BadInput
from spotlab.imaging.reading.image_file import first_scan
from spotlab.imaging.reading.pixels import read_page, read_thumbnail, shrink
from tests.imaging.image_files import colours

SIDE = 40


def page(path: Path, mode: str = "RGB", **options: object) -> Path:
    """A page of 640 × 480 px, as a progressive file."""
    large = Image.fromarray(colours(640, 480)).convert(mode)
    large.save(path, quality=90, **{"progressive": True, **options})
    return path


@pytest.mark.parametrize("mode", ["L", "RGB"])
def test_a_small_picture_looks_like_the_page(tmp_path: Path, mode: str) -> None:
    path = page(tmp_path / "page.jpg", mode)
    small, whole = read_thumbnail(path, side=SIDE), shrink(read_page(path), SIDE)
    assert small.shape == whole.shape
    assert np.abs(small.astype(int) - whole).mean() < 6


def test_the_end_of_the_file_is_not_read(tmp_path: Path) -> None:
    path = page(tmp_path / "page.jpg")
    expected, begin = read_thumbnail(path, side=SIDE), first_scan(path)
    assert begin is not None and len(begin) < path.stat().st_size / 2
    content = path.read_bytes()
    path.write_bytes(content[: len(begin) + 40])  # the rest is gone
    assert np.array_equal(read_thumbnail(path, side=SIDE), expected)
    with pytest.raises(BadInput):
        read_page(path)


def test_larger_pictures_take_the_whole_file(tmp_path: Path) -> None:
    path = page(tmp_path / "page.jpg")
    whole = read_page(path)
    small = read_thumbnail(path, side=320)
    assert np.abs(small.astype(int) - shrink(whole, 320)).mean() < 2


@pytest.mark.parametrize("kept", [0, 2, 20, 300, 700])
def test_a_file_without_a_whole_scan_has_none(tmp_path: Path, kept: int) -> None:
    path = page(tmp_path / "page.jpg")
    path.write_bytes(path.read_bytes()[:kept])
    assert first_scan(path) is None


def test_damaged_files_are_refused_in_one_line_or_shown(tmp_path: Path) -> None:
    content, path = page(tmp_path / "page.jpg").read_bytes(), tmp_path / "damaged.jpg"
    random = np.random.default_rng(1)
    for _ in range(200):
        damaged = bytearray(content)
        for at in random.integers(0, 900, random.integers(1, 6)):
            damaged[at] = random.integers(256)
        path.write_bytes(damaged)
        try:
            read_thumbnail(path, side=SIDE)
        except BadInput as problem:
            assert "\n" not in str(problem)
