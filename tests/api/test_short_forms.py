"""Results in short: `repr` and HTML stay small, however much a result holds."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest

import spotlab
from spotlab.resources import VOTES, sample_collection

MOST_LINES, MOST_CHARACTERS = 20, 4_000
LONG = "a name that goes on and on " * 40


def many_lists() -> dict[str, list[Any]]:
    chance = np.random.default_rng(0)
    return {
        "query": [f"{LONG} {at // 50}" for at in range(2000)],
        "item": [f"item {at}" for at in range(2000)],
        "score": chance.random(2000).tolist(),
        "relevant": chance.integers(0, 2, 2000).tolist(),
    }


def many_judgements() -> spotlab.api.uncertain.UncertainResult:  # type: ignore[name-defined]
    rows = [(f"s{at % 20}", f"i{at // 20}", f"c{at % 7}") for at in range(1000)]
    judgements = dict(zip(("subject", "item", "category"), zip(*rows, strict=True), strict=True))
    answers = {
        "system": [f"system {at // 100}" for at in range(1500)],
        "query": [f"c{at // 50 % 2}" for at in range(1500)],
        "rank": [at % 50 + 1 for at in range(1500)],
        "item": [f"i{at % 50}" for at in range(1500)],
    }
    return spotlab.uncertain(judgements, {f"c{at}": "all" for at in range(7)}, answers)


@pytest.fixture(scope="module")
def results() -> dict[str, Any]:
    plans = sample_collection()
    runs = {f"{LONG} {at}": plans / "runs" / "c_polygons.csv" for at in range(12)}
    truth = spotlab.read_truth(plans)
    evaluated = spotlab.evaluate(truth, runs, draws=0)
    return {
        "truth": truth,
        "run": spotlab.read_run(plans / "runs" / "a_ratios.csv"),
        "evaluation": evaluated,
        "curves": evaluated.curves(),
        "lists": spotlab.rerank(many_lists()),
        "systems": spotlab.compare_systems(sample_collection(VOTES) / "contest.csv", draws=5),
        "uncertain": many_judgements(),
        "symbols": spotlab.spot_symbols(plans / "plan_001.png", method="b"),
    }


def test_results_are_short(results: dict[str, Any]) -> None:
    for name, result in results.items():
        text = repr(result)
        assert len(text.splitlines()) <= MOST_LINES, name
        assert len(text) <= MOST_CHARACTERS, name
        assert text.splitlines()[0], name


class Tables(HTMLParser):
    """Counts what is in it, and sees that everything that is opened is closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.rows = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.open.append(tag)
        self.rows += tag == "tr"

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_html_is_a_short_table(results: dict[str, Any]) -> None:
    for name, result in results.items():
        found = Tables(result._repr_html_())
        assert (found.open, 2 <= found.rows <= 11) == ([], True), name
    hostile = spotlab.read_run(
        {"query": ["<b>"], "page": ["p"], "score": [1], "points": ["0,0 9,0 9,9"]}
    )
    assert "&lt;b&gt;" in hostile._repr_html_()


def test_all_that_a_result_holds_is_short_too(results: dict[str, Any]) -> None:
    lengths: dict[str, int] = {}
    for value in held(list(results.values()), set()):
        text = repr(value)
        name = type(value).__qualname__
        lengths[name] = max(lengths.get(name, 0), len(text))
        assert len(text.splitlines()) <= MOST_LINES, name
    assert {"Evaluation", "RunEvaluation", "Tally", "Run", "TruthSet", "Reranking"} <= set(lengths)
    assert {name for name, length in lengths.items() if length > MOST_CHARACTERS} == set()


def held(value: Any, known: set[int], depth: int = 0) -> Iterator[Any]:
    """Every dataclass within a value."""
    if id(value) in known or depth > 10:
        return
    known.add(id(value))
    parts: list[Any] = []
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        yield value
        parts = [getattr(value, field.name) for field in dataclasses.fields(value)]
    elif isinstance(value, Mapping):
        parts = list(value.values())[:20]
    elif isinstance(value, tuple | list):
        parts = list(value)[:20]
    for part in parts:
        yield from held(part, known, depth + 1)
