"""How long truth files and folders take: opening, autosaving, listing."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from spotlab.formats.collection.folder import scan, summary
from spotlab.formats.page import merge as page_open
from spotlab.formats.truth import page_xml
from spotlab.geometry.polygon import convex_hull
from spotlab.model import Page, Region, Truth
from tests.benchmarks.sizes import FULL

NOW = datetime(2026, 11, 21, 5, 6, 7)


def large(count: int) -> bytes:
    """A page of hulls with some twelve corners each."""
    draw = random.Random(1)
    regions = []
    for _ in range(count):
        x, y = draw.randrange(9000), draw.randrange(6000)
        corners = [(x + draw.randrange(200), y + draw.randrange(200)) for _ in range(60)]
        regions.append(
            Region(tuple(map(tuple, convex_hull(corners).tolist())), draw.choice("abcd"))
        )
    return page_xml.serialise(Truth(Page(Path("plan.png"), 9500, 6750), tuple(regions)), NOW)


def forget() -> None:
    page_open._last = None


@pytest.fixture(params=[5_000, 20_000] if FULL else [5_000])
def source(request: pytest.FixtureRequest) -> bytes:
    return large(request.param)


def test_open(benchmark: Any, source: bytes) -> None:
    benchmark.pedantic(
        lambda: page_xml.parse(source, Path("plan.xml")), setup=forget, rounds=8, iterations=1
    )


def test_autosave_after_one_edit(benchmark: Any, source: bytes) -> None:
    truth = page_xml.parse(source, Path("plan.xml"))
    moved = replace(truth.regions[7], label="moved")
    new = Region(((1, 1), (9, 1), (9, 9)), "sofa")
    regions = (*truth.regions[:7], moved, *truth.regions[8:], new)
    edited = replace(truth, regions=regions)
    content = benchmark(lambda: page_xml.serialise(edited, NOW))
    assert content.count(b"moved") == 1


def test_autosave_with_file(benchmark: Any, source: bytes, tmp_path: Path) -> None:
    truth = page_xml.parse(source, Path("plan.xml"))
    edited = replace(truth, regions=truth.regions[1:])
    benchmark(lambda: page_xml.write(edited, tmp_path / "plan.xml", NOW))


def test_first_save_of_a_new_page(benchmark: Any, source: bytes) -> None:
    truth = replace(page_xml.parse(source, Path("plan.xml")), source=b"")
    benchmark(lambda: page_xml.serialise(truth, NOW))


def test_summary(benchmark: Any, source: bytes, tmp_path: Path) -> None:
    path = tmp_path / "plan.xml"
    path.write_bytes(source)
    benchmark(lambda: summary(path))


def test_summary_of_a_usual_page(benchmark: Any, tmp_path: Path) -> None:
    path = tmp_path / "plan.xml"
    path.write_bytes(large(60))
    benchmark(lambda: summary(path))


@pytest.mark.parametrize("with_truth", [False, True])
def test_list_ten_thousand_pages(benchmark: Any, tmp_path: Path, with_truth: bool) -> None:
    content = large(10)
    for number in range(10_000):
        (tmp_path / f"plan_{number}.png").touch()
        if with_truth:
            (tmp_path / f"plan_{number}.xml").write_bytes(content)
    entries = benchmark.pedantic(lambda: scan([tmp_path]), rounds=5, iterations=1)
    assert len(entries) == 10_000
    assert entries[9_999].image.name == "plan_9999.png"
