"""What is known of 20,000 pages: looked through, and found again at the next start."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from spotlab.formats.page.head import SummaryStore, summary
from spotlab.formats.truth import page_xml
from spotlab.model import Page, Region, Truth

PAGES, REGIONS = 20_000, 10


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Truth files that differ in a number."""
    folder = tmp_path_factory.mktemp("pages")
    ring = tuple((float(x), float(x * x % 97)) for x in range(12))
    regions = tuple(Region(ring, label) for label in ("sofa", "door") * (REGIONS // 2))
    model = folder / "plan.xml"
    page_xml.write(Truth(Page(folder / "plan_number.png", 4000, 3000), regions), model)
    content = model.read_bytes()
    paths = [folder / f"plan_{number}.xml" for number in range(PAGES)]
    for number, path in enumerate(paths):
        path.write_bytes(content.replace(b"plan_number", b"plan_%d" % number))
    return paths


def cpu_seconds(call: Callable[[], object]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


def test_summaries(benchmark: Any, paths: list[Path], tmp_path: Path) -> None:
    each = cpu_seconds(lambda: [summary(path) for path in paths])
    found: list[float] = []

    def look() -> None:
        store = SummaryStore(tmp_path)
        for start in range(0, PAGES, 250):
            store.summaries(paths[start : start + 250], lambda: None)

    first = cpu_seconds(look)
    benchmark.pedantic(lambda: found.append(cpu_seconds(look)), rounds=3)
    benchmark.extra_info["one by one, CPU s"] = round(each, 2)
    benchmark.extra_info["first start"] = round(first, 2)
    benchmark.extra_info["next start"] = round(min(found), 2)
