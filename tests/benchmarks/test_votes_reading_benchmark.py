"""How long it takes to read 1,000,000 items of 24 systems, and to align what systems read."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spotlab.consensus.alignment import align
from spotlab.formats.votes import read_votes
from tests.consensus.alignment_score import score_of

ITEMS, SYSTEMS = 1_000_000, 24


@pytest.mark.parametrize("spoilt", [False, True])
def test_a_million_items(benchmark: Any, tmp_path: Path, spoilt: bool) -> None:
    yes = np.random.default_rng(0).random((ITEMS, SYSTEMS)) < 0.4
    text = np.full((ITEMS, 2 * SYSTEMS), ord(","), np.uint8)
    text[:, 1::2] = ord("0") + yes
    if spoilt:
        text[ITEMS // 2, 1] = ord("7")
    path = tmp_path / "votes.csv"
    with path.open("w") as file:
        file.write("item," + ",".join(f"s{number}" for number in range(SYSTEMS)) + "\n")
        file.writelines(f"{item}{row.tobytes().decode()}\n" for item, row in enumerate(text))
    table = benchmark.pedantic(read_votes, (path,), rounds=2)
    benchmark.extra_info["megabytes"] = path.stat().st_size / 2**20
    assert (len(table), len(table.bad_lines)) == (ITEMS - spoilt, int(spoilt))


@pytest.mark.parametrize(("tokens", "systems"), [(250, 7), (500, 24)])
def test_aligning_a_page(benchmark: Any, tokens: int, systems: int) -> None:
    chance = random.Random(0)
    words = ["".join(chance.choices("abcdefghijkl", k=chance.randint(2, 9))) for _ in range(800)]
    true = chance.choices(words, k=tokens)
    read = [
        [chance.choice(words) if chance.random() < 0.1 else word for word in true
         if chance.random() > 0.05]
        for _ in range(systems)
    ]  # fmt: skip
    columns = benchmark.pedantic(align, (read,), rounds=2)
    benchmark.extra_info["slots"] = len(columns)
    benchmark.extra_info["score"] = score_of(columns, read)
    assert len(columns) >= max(map(len, read))
