"""Tables of how well the words of a collection are found."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from spotlab.lab.reproduce.words.search_figures import LISTS, SearchFigures, tables
from spotlab.resources import LETTERS, sample_collection


@pytest.mark.slow
def test_tables_of_a_page(tmp_path: Path) -> None:
    letters = sample_collection(LETTERS)
    lines = list(tables([letters / "letter_001.jpg"], [letters], tmp_path, every=6))
    heads = [line for line in lines if line.startswith("boxes ")]
    assert [head.split(":")[0] for head in heads[:2]] == [
        "boxes found",
        "boxes drawn 0 px around the word",
    ]
    rows = [line.split("\t") for line in lines if line.startswith("≥ 2")]
    assert rows and all(len(row) == 2 + len(LISTS) or len(row) == 5 for row in rows)
    gains = [line.split("\t")[3:] for line in lines if line.startswith("\tgain")]
    assert len(gains) == 2 * len(rows)
    for row, gain in zip(rows, gains[::2], strict=True):
        if gain[0] == "–":
            continue
        low, high = map(float, gain[0].split("…"))
        rounded = 3 * 0.0005 + 1e-9  # three numbers
        assert low - rounded <= float(row[3]) - float(row[2]) <= high + rounded


def test_instances_of_a_word_are_drawn_together() -> None:
    """Ten instances of one word gain alike: that is the evidence of one word, not of ten."""
    precision = np.array(
        [[0.5, 0.7]] * 10 + [[0.5, 0.5], [0.5, 0.4], [0.5, 0.6], [0.5, 0.55], [0.5, 0.45]]
    )
    texts = ("to",) * 10 + ("be", "or", "not", "that", "is")
    together = SearchFigures(("ws", "cr"), precision, np.full(15, 2), texts).gains()["cr"]
    apart = tuple(str(number) for number in range(15))
    alone = SearchFigures(("ws", "cr"), precision, np.full(15, 2), apart).gains()["cr"]
    assert together is not None and alone is not None
    assert together.high - together.low > 1.2 * (alone.high - alone.low)


def test_without_queries_there_is_no_gain() -> None:
    none = SearchFigures(("ws", "cr"), np.zeros((0, 2)), np.zeros(0, np.int64), ())
    assert none.gains() == {"cr": None}
