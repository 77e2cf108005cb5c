"""Files of every kind that the functions take, small, in one folder."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from spotlab.resources import LETTERS, PLANS, VOTES, sample_collection

PAGES = ("plan_001", "plan_002")
PARTS = 3  # of the letter: a heading and two paragraphs
LISTS = (
    "query,item,score,relevant",
    "orders,a,0.95,1",
    "orders,b,0.90,0",
    "orders,c,0.85,1",
    "orders,d,0.60,0",
)
JUDGEMENTS = (
    "subject,item,category",
    "A,one,people",
    "A,two,scenery",
    "B,one,people",
    "B,two,people",
)
TREE = ("category,parent", "people,all", "scenery,all")
ANSWERS = (
    "system,query,rank,item",
    "S,people,1,one",
    "S,people,2,two",
    "T,people,1,two",
    "T,people,2,one",
)


@pytest.fixture
def samples(tmp_path: Path) -> Path:
    """plans/, letters/, mine.csv, theirs.csv, votes.csv, lists.csv, scores.npz and so on."""
    plans, letters = sample_collection(PLANS), sample_collection(LETTERS)
    (tmp_path / "plans").mkdir()
    (tmp_path / "letters").mkdir()
    for name in PAGES:
        for suffix in (".png", ".xml"):
            shutil.copy(plans / f"{name}{suffix}", tmp_path / "plans")
    shutil.copy(letters / "letter_001.jpg", tmp_path / "letters")
    lines = (letters / "letter_001.xml").read_text("utf-8")
    first, end = lines.split("<TextRegion")[: 1 + PARTS], "  </Page>\n</PcGts>\n"
    (tmp_path / "letters" / "letter_001.xml").write_text("<TextRegion".join(first) + end, "utf-8")
    for target, source in (("mine", "e_alignment"), ("theirs", "a_ratios")):
        lines = (plans / "runs" / f"{source}.csv").read_text().splitlines(keepends=True)
        kept = [line for line in lines[1:] if line.split(",")[1] in PAGES]
        (tmp_path / f"{target}.csv").write_text("".join([lines[0], *kept]))
    shutil.copy(sample_collection(VOTES) / "contest.csv", tmp_path / "votes.csv")
    for name, rows in (
        ("lists", LISTS), ("judgements", JUDGEMENTS), ("tree", TREE), ("answers", ANSWERS)
    ):  # fmt: skip
        (tmp_path / f"{name}.csv").write_text("\n".join(rows) + "\n")
    scores = np.full((4, 4), 0.4) + 0.6 * np.eye(4)
    np.savez(tmp_path / "scores.npz", scores=scores, items=np.array(list("abcd")))
    return tmp_path
