"""How long a stroke takes to become a hull, and how well hulls fit hand-drawn symbols.

``pytest tests/benchmarks/test_imaging_benchmark.py --benchmark-only -s`` prints medians and p95.
"""

from __future__ import annotations

import json
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest
import shapely
from PIL import Image

from spotlab.geometry import polygon
from spotlab.imaging.outlines import hull, runs_from_mask
from spotlab.imaging.page_ink import PageInk
from spotlab.imaging.reading.pixels import read_page, read_thumbnail
from spotlab.imaging.reading.pyramid import Pyramid
from spotlab.model import Primitive
from tests.benchmarks.sizes import sized

DRAWING = "f23ccf42b9c42bfe7c37a1fb7a1ea100e3d34596.png"  # the plan with furniture


def run(benchmark, function, arguments, rounds=20):
    """Time the function once for each of the arguments in turn, and note the 95th percentile."""
    turn = iter(np.resize(np.arange(len(arguments)), 100_000))
    benchmark.pedantic(
        function, setup=lambda: (arguments[next(turn)], {}), rounds=max(rounds, 3 * len(arguments))
    )
    times = np.array(benchmark.stats.stats.data) * 1000
    benchmark.extra_info["p95 ms"] = round(float(np.percentile(times, 95)), 3)
    print(
        f"\n{benchmark.name}: median {np.median(times):.2f} ms, p95 {np.percentile(times, 95):.2f}"
    )


def circle_around(left, top, right, bottom, random, margin=8.0, count=80):
    """A stroke as somebody draws it around a box: rounded, shaky, of many points."""
    angles = np.linspace(0, 2 * np.pi, count, endpoint=False)
    # a superellipse comes as near to the corners as a hand does
    reach = (np.abs(np.cos(angles)) ** 4 + np.abs(np.sin(angles)) ** 4) ** -0.25
    half = np.array([(right - left) / 2 + margin, (bottom - top) / 2 + margin])
    centre = np.array([(left + right) / 2, (top + bottom) / 2])
    shake = random.normal(0, 1.5, (count, 2))
    return (
        centre + half * reach[:, None] * np.column_stack([np.cos(angles), np.sin(angles)]) + shake
    )


def handwritten(width, height):
    """A page with some six thousand strokes."""
    random = np.random.default_rng(0)
    page = np.full((height, width), 240, np.uint8)
    for _ in range(6000):
        x, y = random.integers(0, width - 30), random.integers(0, height - 30)
        w, h = random.integers(2, 30, 2)
        page[y : y + 3, x : x + w] = page[y : y + h, x : x + 3] = 40
    return page


def test_stroke_of_250_px_to_hull(benchmark):
    random = np.random.default_rng(1)
    ink = PageInk(handwritten(3215, 2064))
    ink.label()
    corners = random.uniform((0, 0), (2900, 1800), (50, 2))
    strokes = [(circle_around(x, y, x + 250, y + 250, random, 0),) for x, y in corners]
    run(benchmark, lambda stroke: ink.select(stroke).outline(), strokes)


@pytest.fixture(scope="module")
def plan():
    path = Path(__file__).resolve().parents[3] / "shared" / "data" / "mlstruct_fp" / DRAWING
    if not path.is_file():
        pytest.skip("the real data beside the checkout (../shared/data) is not here")
    return read_page(path)


def furniture(ink):
    """Strokes around components of the size of beds and tables."""
    random = np.random.default_rng(2)
    sizes = ink.components.bounds[:, 2:] - ink.components.bounds[:, :2]
    chosen = ((sizes > 150) & (sizes < 600)).all(axis=1)
    return [(circle_around(*box, random, 12),) for box in ink.components.bounds[chosen][:80]]


@pytest.mark.parametrize("primitive", [each for each in Primitive if each.has_area])
def test_furniture_on_a_plan_to_outline(benchmark, plan, primitive):
    ink = PageInk(plan)
    ink.label()
    strokes = furniture(ink)
    assert all(ink.select(*stroke) for stroke in strokes)
    run(benchmark, lambda stroke: ink.select(stroke).outline(primitive), strokes)


def test_furniture_on_a_plan_before_it_is_labelled(benchmark, plan):
    labelled, fresh = PageInk(plan), PageInk(plan)
    labelled.label()
    strokes = furniture(labelled)
    run(benchmark, lambda stroke: fresh.select(stroke).outline(), strokes)


def test_stroke_around_a_whole_plan(benchmark, plan):
    ink = PageInk(plan)
    ink.label()
    stroke = [(0, 0), (plan.shape[1], 0), plan.shape[1::-1], (0, plan.shape[0])]
    run(benchmark, lambda stroke: ink.select(stroke).outline(), [(stroke,)])


def test_labelling_a_plan(benchmark, plan):
    run(benchmark, lambda: PageInk(plan).label(), [()])


def test_pyramid_of_a_plan(benchmark, plan):
    run(benchmark, Pyramid, [(plan,)])


def test_opening_a_plan(benchmark, plan, shared_data):
    run(benchmark, read_page, [(shared_data / "mlstruct_fp" / DRAWING,)], sized(20, 6))


ONE_STRIP = 2**31 - 1  # bytes
LARGE_PAGES = {
    "colours in one strip.tif": ("RGB", {"strip_size": ONE_STRIP}),
    "colours in one deflated strip.tif": (
        "RGB",
        {"strip_size": ONE_STRIP, "compression": "tiff_adobe_deflate"},
    ),
    "colours in JPEG.tif": ("RGB", {"compression": "jpeg"}),
    "grey in one strip of LZW.tif": ("L", {"strip_size": ONE_STRIP, "compression": "tiff_lzw"}),
    "one strip of CCITT.tif": ("1", {"strip_size": ONE_STRIP, "compression": "group4"}),
    "palette.png": ("P", {"compress_level": 6}),
    "16 bits.png": ("I;16", {"compress_level": 1}),
}


@pytest.mark.parametrize("name", LARGE_PAGES)
def test_opening_a_large_page(benchmark, plan, tmp_path, name):
    page = plan[:5000, :5000]  # 25 MP are large
    mode, options = LARGE_PAGES[name]
    grey = page if page.ndim == 2 else page[..., 0]
    image = Image.fromarray(grey.astype(np.uint16) * 257 if mode == "I;16" else page)
    image.convert(mode).save(tmp_path / name, **options)
    run(benchmark, read_page, [(tmp_path / name,)])


def test_thumbnail_of_a_photo(benchmark, shared_data):
    paths = sorted((shared_data / "gw20_words" / "images").glob("*.jpg"))
    run(benchmark, read_thumbnail, [(path,) for path in paths])


LARGE_PAGE = """
import sys, threading, time
import numpy as np
from pathlib import Path
from spotlab.processes import share_one_heap
from spotlab.imaging.page_ink import PageInk
from spotlab.imaging.reading.pixels import read_page
from spotlab.imaging.reading.pyramid import Pyramid

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6

def watch():
    while True:
        peak[0] = max(peak[0], resident())
        time.sleep(0.002)

import PIL.Image
share_one_heap()
base, peak = resident(), [0.0]
threading.Thread(target=watch, daemon=True).start()
pixels = read_page(Path(sys.argv[1]))
pyramid, ink = Pyramid(pixels), PageInk(pixels)
ink.label()
print(base, peak[0] - base, resident() - base)
"""


@pytest.mark.parametrize("suffix", ["jpg", "png"])
def test_memory_of_a_colour_page_of_100_mp(tmp_path, suffix):
    """At most 450 MB beyond the libraries, which leaves room for the window's 150 in 600."""
    if not Path("/proc/self/statm").exists():
        pytest.skip("memory is read from /proc")
    page = np.full((8660, 11547, 3), 240, np.uint8)
    page[::50] = 30, 60, 90  # 1.2 million runs
    page[:, ::80] = 90, 60, 30
    path = tmp_path / f"page.{suffix}"
    Image.fromarray(page).save(path, compress_level=1)
    del page
    run_it = subprocess.run(
        [sys.executable, "-c", LARGE_PAGE, path], capture_output=True, text=True, check=True
    )
    base, peak, steady = (float(word) for word in run_it.stdout.split())
    print(f"\n{suffix}: libraries {base:.0f} MB, peak +{peak:.0f}, steady +{steady:.0f}")
    assert peak < 450


def symbol_boxes(path, width):
    """(class, (left, top, right, bottom) in px) of a BPMN diagram's symbols."""
    text = path.read_text(encoding="utf-8")
    scale = width / json.loads(text.split("<!--")[1].split("-->")[0])["backgroundSize"]
    root = ElementTree.fromstring(text.encode())
    kinds = {element.get("id"): element.tag.split("}")[1] for element in root.iter()}
    for shape in root.iter("{http://www.omg.org/spec/BPMN/20100524/DI}BPMNShape"):
        bounds = shape.find("{http://www.omg.org/spec/DD/20100524/DC}Bounds")
        x, y, w, h = (float(bounds.get(key)) * scale for key in ("x", "y", "width", "height"))
        yield kinds[shape.get("bpmnElement")], (x, y, x + w, y + h)


def test_hulls_of_hand_drawn_symbols(shared_data, capsys):
    """Sketch around each symbol's box; compare with the hull of all ink inside the box."""
    random = np.random.default_rng(3)
    folder = shared_data / "hdbpmn_symbols"
    found: dict[str, list[float]] = {}
    cut: list[float] = []
    for path in sorted((folder / "annotations").glob("*.bpmn")):
        pixels = read_page(folder / "images" / f"{path.stem}.jpg")
        height, width = pixels.shape[:2]
        ink = PageInk(pixels)
        ink.label()
        for kind, (left, top, right, bottom) in symbol_boxes(path, width):
            x0, y0 = max(0, round(left)), max(0, round(top))
            x1, y1 = min(width, round(right)), min(height, round(bottom))
            inside = runs_from_mask(ink.ink(x0, y0, x1, y1)).translate(x0, y0)
            expected = hull(inside) if len(inside) else np.empty((0, 2))
            stroke = circle_around(left, top, right, bottom, random, 4)
            sketched = ink.select(stroke).outline()
            found.setdefault(kind, []).append(overlap(sketched, expected))
            cut.append(overlap(ink.cut_out(stroke).outline(), expected))
    with capsys.disabled():
        for kind, values in sorted(found.items()):
            print(f"{kind:28s} {len(values):4d}  {np.mean(values):.3f}")
        every = np.concatenate(list(found.values()))
        print(f"mean IoU {every.mean():.3f}, median {np.median(every):.3f}, n = {len(every)}")
        print(f"cut at the stroke: mean IoU {np.mean(cut):.3f}, median {np.median(cut):.3f}")
        print(f"taken {np.mean(every > 0):.3f}; mean IoU where taken {every[every > 0].mean():.3f}")


def overlap(first, second):
    """Intersection over union; 0 where one of the outlines is empty."""
    if len(first) < 3 or len(second) < 3:
        return 0.0
    one, other = polygon.even_odd_geometry(first), polygon.even_odd_geometry(second)
    return float(shapely.intersection(one, other).area / shapely.union(one, other).area)
