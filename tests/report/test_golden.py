"""JSON, tables and terminal text of the commands are as they were, to the ninth digit.

After a change that is meant, `SPOTLAB_GOLDEN=write pytest tests/report/test_golden.py` writes the
files in `tests/data/golden` anew; the commit shows what a user sees of it.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.judging_files import command, write_small

GOLDEN = Path(__file__).resolve().parents[1] / "data" / "golden"
FILES = {
    "votes.csv": "item,truth,S1,S2,S3\n#engine,,x,x,y\n1,1,1,1,1\n2,1,1,1,1\n3,0,0,1,0\n4,1,1,0,0\n"
    "5,0,1,0,0\n6,0,0,0,1\n7,0,0,0,0\n",
    "tree.csv": "category,parent\npeople,all\nscenery,all\ncrowd,people\ncity,scenery\n",
    "judgements.csv": "subject,item,category\nAnn,q,people\nBob,q,city\nAnn,r,crowd\nBob,r,crowd\n"
    "Ann,s,city\nBob,s,city\nAnn,t,people\nBob,t,all\n",
    "answers.csv": "system,query,rank,item\nA,q,1,r\nA,q,2,t\nB,q,1,t\nB,q,2,s\n",
    "WS.csv": "query,item,score,relevant\nq,a,.95,1\nq,b,.85,1\nq,d,.75,0\nq,c,.6,1\np,a,.7,0\n"
    "p,c,.6,1\n",
    "QE.csv": "query,item,score,relevant\nq,a,.5,1\nq,c,.85,1\nq,d,.75,0\n",
}
COMMANDS = {
    "evaluate": "evaluate --truth truth --run run.csv --draws 0 --cut rank=1",
    "consensus": "consensus votes.csv --draws 0 --group-by engine",
    "uncertain": "uncertain judgements.csv --tree tree.csv --answers answers.csv",
    "rerank": "rerank WS.csv QE.csv --fusion reciprocal_rank --fusion borda",
    "annotators": "annotators --annotator truth --annotator other --run run.csv",
}


def rounded(text: str) -> str:
    """The text with nine digits of each number that has more."""
    return re.sub(r"-?\d+\.\d{9,}(e-?\d+)?", lambda found: f"{float(found[0]):.9g}", text)


@pytest.mark.parametrize("name", COMMANDS)
def test_what_a_command_gives_stays(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    write_small(tmp_path)
    (tmp_path / "other").mkdir()
    for path in (tmp_path / "truth").glob("one.*"):
        (tmp_path / "other" / path.name).write_bytes(path.read_bytes())
    for file, text in FILES.items():
        (tmp_path / file).write_text(text)
    assert command(*COMMANDS[name].split(), "--json", "found.json", "--out", "out") == 0
    parts = {"terminal": capsys.readouterr().out}
    tables = sorted([*(tmp_path / "out").glob("*.csv"), *(tmp_path / "out").glob("*.tex")])
    for path in (tmp_path / "found.json", *tables):
        parts[path.name] = path.read_text("utf-8")
    found = rounded("".join(f"===== {part}\n{text}" for part, text in parts.items()))
    golden = GOLDEN / f"{name}.txt"
    if os.environ.get("SPOTLAB_GOLDEN") == "write":
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(found, "utf-8")
    assert found == golden.read_text("utf-8")
