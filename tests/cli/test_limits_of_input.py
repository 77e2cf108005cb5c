"""Files that are nested, long or large beyond measure are told of in a line of bearable length."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pytestqt.qtbot import QtBot

from spotlab.cli.root import main
from spotlab.errors import BadInput
from spotlab.formats.collection.detect import format_of
from spotlab.formats.collection.label_file import open_collection_file, read_labels, write_labels
from spotlab.formats.runs.reading import read_run
from spotlab.gui.kit.settings import THEME, Settings
from spotlab.model import LabelSet
from tests.gui import windows


def read_truths(path: Path) -> object:
    """What the format of the file reads."""
    return format_of(path).read_file(path)


DEEP = "[" * 100_000 + "]" * 100_000
BPMN = """<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL">
<BPMNShape id="{name}" bpmnElement="{name}"/></definitions>"""


@pytest.mark.parametrize("depth", [60, 900, 100_000])
def test_the_window_opens_with_nested_settings(depth: int, tmp_path: Path, qtbot: QtBot) -> None:
    path = tmp_path / "settings.json"
    nested = "[" * depth + "]" * depth
    path.write_text(f'{{"theme": "dark", "recent": {nested}}}')
    window = windows.open_window(tmp_path)
    window.workbench.settings.set(THEME, "light")
    assert window.workbench.settings.flush()
    assert Settings(path).get(THEME) == "light"
    windows.close(window)


def test_nested_json_is_told(tmp_path: Path) -> None:
    (tmp_path / "spotlab.json").write_text(f'{{"labels": {DEEP}}}')
    with pytest.raises(BadInput, match="nested too deeply"):
        read_labels(tmp_path)
    shallower = '{"labels": [], "other": ' + "[" * 500 + "]" * 500 + "}"
    (tmp_path / "spotlab.json").write_text(shallower)
    [problem] = open_collection_file(tmp_path).look()
    assert "nested too deeply" in problem and len(problem) < 500
    write_labels(tmp_path, LabelSet())  # those that are there
    assert (tmp_path / "spotlab.json").read_text() == shallower
    write_labels(tmp_path, LabelSet().with_label("sofa"))
    assert [label.name for label in read_labels(tmp_path)] == ["sofa"]
    assert (tmp_path / "spotlab.json.damaged").read_text() == shallower
    for name in ("coco.json", "results.json"):
        (tmp_path / name).write_text(f'{{"images": [], "annotations": {DEEP}, "shapes": []}}')
    with pytest.raises(BadInput, match="nested too deeply"):
        read_truths(tmp_path / "coco.json")
    with pytest.raises(BadInput, match="nested too deeply"):
        read_run(tmp_path / "results.json")


def test_messages_are_of_bearable_length(tmp_path: Path) -> None:
    from PIL import Image  # noqa: PLC0415

    Image.new("L", (20, 20)).save(tmp_path / "a.png")
    (tmp_path / "a.bpmn").write_text(BPMN.format(name="x" * 100_000))
    with pytest.raises(BadInput) as error:
        read_truths(tmp_path / "a.bpmn")
    assert len(str(error.value)) < 1500
    assert "BPMNShape xxx" in str(error.value)
    assert "which does not exist" in str(error.value)
    assert str(error.value).endswith("expected the id of an element")


def test_texts_in_parquet_that_are_not_utf8_are_bad_rows(tmp_path: Path) -> None:
    points = "0,0 9,0 9,9"
    good = {"query": "q", "page": "p", "score": "0.5", "points": points, "label": ""}
    rows = [good | {"score": f"{number}"} for number in range(40)]
    columns = {}
    for name in good:
        values = [row[name].encode() for row in rows]
        if name in ("query", "points", "label"):
            values[7 + len(name)] = b"caf\xe9"
        raw = pa.array(values, pa.binary())
        columns[name] = pa.Array.from_buffers(pa.string(), len(raw), raw.buffers())
    path = tmp_path / "run.parquet"
    pq.write_table(pa.table(columns), path)
    read = read_run(path)
    assert [str(line) for line in read.bad_lines] == [
        "row 13: query is not UTF-8: the byte 0xE9 at 4",
        "row 14: points is not UTF-8: the byte 0xE9 at 4",
    ]
    assert len(read.run) == 38


def test_scores_that_overflow_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "list.csv"
    path.write_text("query,page,x,y,width,height,score\na,p,0,0,5,5,1e308\na,p,9,0,5,5,-1e99\n")
    with pytest.raises(SystemExit) as end:
        main(["rerank", str(path), "--strict", "--json", "-"])
    assert end.value.code == 2
    assert "line 2: score is '1e308', beyond ±1e+100" in capsys.readouterr().err
    for fusion in ("combsum", "combmnz", "combanz", "borda", "reciprocal_rank", "ml"):
        given = ["rerank", str(path), str(path), "--fusion", fusion, "--skip-bad-lines"]
        with pytest.raises(SystemExit) as end:
            main([*given, "--json", "-"])
        assert not end.value.code
        json.loads(capsys.readouterr().out)
