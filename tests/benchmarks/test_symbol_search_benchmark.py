"""Seconds a page for seeing floor plans, milliseconds a page and query for spotting on them."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from spotlab.formats.collection.folder import PageEntry, scan
from spotlab.lab.draw.floorplans import write_collection
from spotlab.lab.draw.plans.options import PAPER
from spotlab.spotting.symbols.engine.page_features import SymbolModel
from spotlab.spotting.symbols.search.index import build_index
from spotlab.spotting.symbols.search.symbol_search import search_symbols
from spotlab.studies.symbols.symbol_queries import crop_models

PAGES = 4


@pytest.fixture(scope="module")
def entries(tmp_path_factory: pytest.TempPathFactory) -> list[PageEntry]:
    """Plans of 3215 × 2064 px as the paper's collection has them."""
    folder = tmp_path_factory.mktemp("plans")
    write_collection(folder, PAGES, 200, PAPER)
    return scan([folder])


@pytest.fixture(scope="module")
def models(entries: list[PageEntry]) -> list[SymbolModel]:
    return [*crop_models(entries)]


@pytest.fixture(scope="module")
def cache(entries: list[PageEntry], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the index, and nothing found yet."""
    folder = tmp_path_factory.mktemp("cache")
    build_index(entries, cache=folder)
    return folder


def test_see_pages(benchmark: Any, entries: list[PageEntry], tmp_path: Path) -> None:
    def setup() -> None:
        shutil.rmtree(tmp_path / "cache", ignore_errors=True)

    index = benchmark.pedantic(
        build_index, (entries,), {"cache": tmp_path / "cache"}, setup=setup, rounds=3
    )
    assert len(index) == PAGES
    each = benchmark.stats.stats.median / PAGES
    benchmark.extra_info["seconds a page"] = round(each, 3)
    size = sum(file.stat().st_size for file in index.files.values()) / PAGES
    benchmark.extra_info["MB a page"] = round(size / 1e6, 2)


def test_load_pages(benchmark: Any, entries: list[PageEntry], cache: Path) -> None:
    index = build_index(entries, cache=cache)
    assert index.reused == PAGES
    index.memory = 0  # no page stays in memory
    benchmark(lambda: [index.page(entry.name) for entry in entries])
    each = benchmark.stats.stats.median / PAGES
    benchmark.extra_info["ms a page"] = round(1000 * each, 2)


@pytest.mark.parametrize("method", ["a", "b", "c", "d", "e"])
def test_spot_on_pages(
    benchmark: Any, method: str, entries: list[PageEntry], models: list[SymbolModel], cache: Path
) -> None:
    def setup() -> None:
        for file in cache.rglob("*.spots"):
            file.unlink()

    search_symbols(entries[:1], models[:1], method, cache=cache)  # what compiles is compiled
    search = benchmark.pedantic(
        search_symbols, (entries, models, method), {"cache": cache}, setup=setup, rounds=3
    )
    assert search.reused == 0
    each = benchmark.stats.stats.median / PAGES / len(models)
    benchmark.extra_info["ms a page and query"] = round(1000 * each, 2)
    benchmark.extra_info["queries"] = len(models)
    benchmark.extra_info["spots"] = len(search.run)


def test_go_on_where_all_is_finished(
    benchmark: Any, entries: list[PageEntry], models: list[SymbolModel], cache: Path
) -> None:
    search_symbols(entries, models, "b", cache=cache)
    search = benchmark(search_symbols, entries, models, "b", cache=cache)
    assert search.reused == PAGES
    each = benchmark.stats.stats.median / PAGES
    benchmark.extra_info["ms a page"] = round(1000 * each, 2)
