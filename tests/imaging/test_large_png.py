"""Large PNG pages are decoded where they stay: the same page as small ones give."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from spotlab.imaging.reading import large_images
from spotlab.imaging.reading.decoding import decode_page, decode_thumbnail
from spotlab.imaging.reading.image_file import open_image
from tests.imaging.image_files import png_bytes


@st.composite
def pages(draw: st.DrawFn) -> bytes:
    """A PNG of any kind that OpenCV decodes where Pillow decodes small pages."""
    width, height = draw(st.integers(8, 70)), draw(st.integers(2, 40))
    random = np.random.default_rng(draw(st.integers(0, 1000)))
    kind = draw(st.sampled_from(("1", "L", "RGB", "palette", "grey of 16 bits", "RGB of 16 bits")))
    if kind == "RGB of 16 bits":
        rows = random.integers(0, 2**16, (height, width, 3)).astype(">u2")
        return png_bytes(width, height, 16, 2, b"".join(b"\0" + row.tobytes() for row in rows))
    options = {}
    if kind == "grey of 16 bits":
        most = draw(st.sampled_from((200, 1023, 4000, 16383, 65535)))
        image = Image.fromarray(random.integers(0, most + 1, (height, width)).astype(np.uint16))
    elif kind == "palette":
        options["bits"] = draw(st.sampled_from((1, 2, 4, 8)))
        used = draw(st.integers(1, 2 ** options["bits"]))
        colours = random.integers(0, 256, (2 ** options["bits"], 3), np.uint8)
        if draw(st.booleans()):
            colours[: draw(st.integers(used, len(colours)))] = colours[0, 0]
        image = Image.new("P", (width, height))
        image.putdata(random.integers(0, used, width * height).tolist())
        image.putpalette(colours.ravel().tolist())
    else:
        image = Image.fromarray(random.integers(0, 256, (height, width, 3), np.uint8))
        image = image.convert(kind)
    with TemporaryDirectory() as folder:
        path = Path(folder, "page.png")
        image.save(path, **options)
        return path.read_bytes()


@given(pages())
def test_large_pages_have_the_pixels_of_small_ones(content: bytes) -> None:
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        path = Path(folder, "page.png")
        path.write_bytes(content)
        expected, small = decode_page(path), decode_thumbnail(path, 0, 20)
        patch.setattr(large_images, "LARGE", 0)
        with open_image(path) as image:
            assert large_images.can_decode(image)
        assert np.array_equal(decode_page(path), expected)
        assert np.array_equal(decode_thumbnail(path, 0, 20), small)


def test_colours_that_the_palette_lacks_are_black(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "page.png"
    rows = b"".join(b"\0" + bytes((0, 1, 2, 255) * 15) for _ in range(40))
    path.write_bytes(png_bytes(60, 40, 8, 3, rows, palette=bytes((10, 20, 30, 40, 50, 60))))
    expected = decode_page(path)
    assert expected[0, :4].tolist() == [[10, 20, 30], [40, 50, 60], [0, 0, 0], [0, 0, 0]]
    monkeypatch.setattr(large_images, "LARGE", 0)
    assert np.array_equal(decode_page(path), expected)
