"""Every kind of image file that is opened."""

from __future__ import annotations

import numpy as np
import pypdfium2
import pytest
from PIL import Image

from spotlab.errors import BadInput
from spotlab.imaging.reading import image_file, large_images
from spotlab.imaging.reading.decoding import decode_page
from spotlab.imaging.reading.pixels import IMAGE_SUFFIXES, is_thumbnail_fast, read_header, read_page
from tests.imaging.image_files import assert_same, colours, drawing, png_bytes, tiff_bytes

LOSSLESS = [
    ("png", {}),
    ("bmp", {}),
    ("tif", {}),
    ("tif", {"compression": "tiff_lzw"}),
    ("tif", {"compression": "tiff_adobe_deflate"}),
    ("webp", {"lossless": True}),
    ("jp2", {"irreversible": False}),
    ("j2k", {"irreversible": False}),
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
        monkeypatch.setattr(large_images, "LARGE", 0)
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
    assert np.abs(decode_page(path).astype(int) - upright).mean() < 4


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
    assert large_images.LARGE > 20_000_000
    for name in ("page.png", "page.jpg", "page.pdf"):
        image.save(tmp_path / name)
        assert is_thumbnail_fast(tmp_path / name)
    (tmp_path / "page.png").write_bytes(png_bytes(10_000, 10_000, 8, 0, b""))
    assert not is_thumbnail_fast(tmp_path / "page.png")


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


def test_large_pages_are_decoded_alike(tmp_path, monkeypatch):
    random = np.random.default_rng(0)
    alpha = np.dstack([colours(), random.integers(0, 256, (40, 60), np.uint8)])
    grey = np.repeat(drawing()[..., None], 3, axis=2)
    for number, page in enumerate((colours(), grey, alpha)):
        for suffix in ("png",) if page.shape[2] == 4 else ("png", "jpg", "bmp", "webp"):
            path = tmp_path / f"{number}.{suffix}"
            Image.fromarray(page).save(path)
            expected = decode_page(path)
            with monkeypatch.context() as patch:
                patch.setattr(large_images, "LARGE", 0)
                with image_file.open_image(path) as image:
                    assert large_images.can_decode(image)
                assert np.array_equal(decode_page(path), expected), path


@pytest.mark.parametrize("suffix", ["png", "jpg"])
@pytest.mark.parametrize("mode", ["1", "L"])
def test_large_pages_without_colour_are_decoded_alike(tmp_path, monkeypatch, suffix, mode):
    page = np.random.default_rng(5).integers(0, 256, (40, 61), np.uint8)
    path = tmp_path / f"page.{suffix}"
    Image.fromarray(page).convert(mode).save(path)
    expected = decode_page(path)
    monkeypatch.setattr(large_images, "LARGE", 0)
    with image_file.open_image(path) as image:
        assert large_images.can_decode(image)
    assert np.array_equal(decode_page(path), expected)


def test_grey_of_few_bits_is_as_bright_in_large_pages(tmp_path, monkeypatch):
    path = tmp_path / "page.png"
    path.write_bytes(png_bytes(4, 2, 2, 0, b"\0\x1b\0\xe4"))  # 0 1 2 3, 3 2 1 0
    monkeypatch.setattr(large_images, "LARGE", 0)
    assert decode_page(path).tolist() == [[0, 85, 170, 255], [255, 170, 85, 0]]


def test_suffixes():
    assert {".png", ".jpg", ".tiff", ".webp", ".bmp", ".pdf"} <= IMAGE_SUFFIXES
