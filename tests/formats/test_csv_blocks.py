"""A CSV file reads the same whatever pieces it is read in, and whether their lines are plain."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from spotlab.formats.lists.csv_list import read as read_list
from spotlab.formats.rows import csv_rows
from spotlab.formats.rows.csv_rows import Names
from spotlab.formats.runs.csv_run import read as read_run
from spotlab.formats.runs.format import Naming
from spotlab.formats.votes.format import VoteOptions
from spotlab.formats.votes.reading import read_votes
from spotlab.progress import silent

ODD = (
    "",
    " ",
    '"',
    '""',
    "\t",
    "\r",
    "\n",
    ",",
    "ü",
    "\x0c",
    "\xa0",
    "#",
    "-1",
    "nan",
    "1_0",
    '"a"',
)
HEADS = {
    "list": ("query,page,x,y,width,height,score,relevant", "a,p{n},1,2,3,4,0.{n},1"),
    "run": ("query,page,score,points", 'a,p{n},0.{n},"0,0 5,0 5,5"'),
    "table": ("item,s,t,truth", "i{n},1,0,1"),
    "answers": ("item,system,vote", "i{n},s,1"),
}


def spoilt(kind: str, chance: random.Random) -> bytes:
    head, line = HEADS[kind]
    lines = [line.format(n=n) for n in range(60)]
    for _ in range(chance.randrange(6)):
        row = chance.randrange(len(lines))
        at = chance.randrange(len(lines[row]) + 1)
        lines[row] = lines[row][:at] + chance.choice(ODD) + lines[row][at + chance.randrange(2) :]
    return "\n".join([head, *lines, ""][: chance.choice((-1, None))]).encode()


def read(kind: str, path: Path) -> list[object]:
    if kind == "list":
        table = read_list(path, silent)
        columns = [table.query, table.page, table.boxes, table.score, table.relevant, table.line]
        plain = [[c.names[code] for code in c.code] if isinstance(c, Names) else c.tolist()
                 for c in columns]  # fmt: skip
        return [plain, sorted(table.bad_lines), table.remarks]
    if kind == "run":
        run = read_run(path, Naming(), silent)
        return [run.run.queries, run.run.line.tolist(), run.run.pages, run.bad_lines, run.remarks]
    votes = read_votes([path], VoteOptions())
    truth = None if votes.truth is None else np.nan_to_num(votes.truth, nan=-1).tolist()
    dense = np.nan_to_num(votes.votes.dense(), nan=-1).tolist()
    return [votes.items, votes.systems, dense, truth, votes.bad_lines, votes.remarks]


@pytest.mark.slow
@pytest.mark.parametrize("kind", HEADS)
def test_pieces_make_no_difference(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file.csv"
    for seed in range(60):
        path.write_bytes(spoilt(kind, random.Random(seed)))
        found = []
        for size in (2**19, 50, 300):
            monkeypatch.setattr(csv_rows, "BLOCK_BYTES", size)
            try:
                found.append(read(kind, path))
            except Exception as error:
                found.append([str(error)])
        assert str(found[1:]) == str([found[0]] * 2), (seed, path.read_bytes())
