"""Values that only somebody hostile writes: each file is read, or refused in one line."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from PIL import Image

from spotlab.errors import BadInput, SpotlabError
from spotlab.formats.collection.detect import known_formats
from spotlab.formats.rows.json_values import json_text, load_json, parse_json
from spotlab.formats.rows.numbers import natural
from spotlab.formats.rows.reading import Reading
from spotlab.formats.runs.csv_run import write_csv
from spotlab.formats.runs.parquet_run import write_parquet
from spotlab.formats.runs.reading import read_run
from spotlab.resources import needed_model
from spotlab.spotting.networks import Network
from spotlab.spotting.words.embedding.network import read_network
from tests.formats.foreign_files import DOTA, FLOORPLANCAD
from tests.judging_files import box, command, points, write_run, write_truth

LONG = "9" * 5000
FORMATS = {"data.yaml": "yolo", "plan.txt": "dota", "plan.svg": "floorplancad",
           "plan.json": "labelme"}  # fmt: skip
DEEP = "[" * 100_000 + "]" * 100_000


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("data.yaml", f"train: images\nkpt_shape: [17, {LONG}]\nnames: [a]\n", "kpt_shape is not"),
        ("data.yaml", f"train: images\nnames:\n  {LONG}: sofa\n", "is no number"),
        ("data.yaml", f"train: {'n' * 300}\nnames: [a]\n", "neither images nor labels"),
        ("data.yaml", f'train: "{DEEP}"\nnames: [a]\n', "neither images nor labels"),
        ("plan.txt", DOTA.replace("plane 0", f"plane {LONG}"), "the difficulty is"),
        ("plan.svg", FLOORPLANCAD.replace('"33"', f'"{LONG}"'), "the semantic-id is"),
        ("plan.svg", FLOORPLANCAD.replace("115.0,94.5 A", "1e300,94.5 A"), "a corner is beyond"),
        ("plan.json", f'{{"shapes": {DEEP}}}', "nested too deeply"),
    ],
)
def test_a_truth_file_is_refused_in_a_line(
    name: str, content: str, problem: str, tmp_path: Path
) -> None:
    Image.new("1", (80, 60), 1).save(tmp_path / "plan.png")
    (tmp_path / name).write_text(content)
    with pytest.raises(BadInput, match=problem):
        known_formats()[FORMATS[name]].read_file(tmp_path / name, Reading(strict=True))


def test_numbers_of_any_length_in_names_are_sorted() -> None:
    names = [f"plan_{LONG}", "plan_10", "plan_2", f"plan_{'8' * 5000}"]
    assert sorted(names, key=natural)[:2] == ["plan_2", "plan_10"]


def test_halves_of_characters_become_question_marks(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(r'{"so\ud800fa": ["\uD83D\uDE00", "\\ud800", "caf\udce9"]}')
    assert load_json(tmp_path / "a.json", "x") == {"so?fa": ["😀", r"\ud800", "caf?"]}
    assert json.loads(json_text({"caf\udce9": ("é",)})) == {"caf?": ["é"]}
    with pytest.raises(ValueError, match="nested too deeply"):
        parse_json(DEEP)


@pytest.mark.parametrize("more", [("--out", "report"), ("--spots", "s.parquet"),
                                  ("--spots", "s.json"), ("--json", "j.json")])  # fmt: skip
def test_a_query_with_half_a_character_is_judged(more: tuple[str, str], tmp_path: Path) -> None:
    write_truth(tmp_path / "plans", "one", box("sofa", 0, 0, 40, 40))
    (tmp_path / "run.json").write_text(
        r'[{"image_id": "one", "category_id": "so\ud800fa", "bbox": [0, 0, 40, 40], "score": 1},'
        r' {"image_id": "one", "category_id": "sofa", "bbox": [0, 0, 40, 40], "score": 1}]'
    )
    given = ("evaluate", "--truth", tmp_path / "plans", "--run", tmp_path / "run.json")
    assert command(*given, "--draws", 0, more[0], tmp_path / more[1]) == 0
    assert (tmp_path / more[1]).exists()


def test_a_run_of_a_file_in_another_encoding_is_written(tmp_path: Path) -> None:
    run = read_run(write_run(tmp_path / "run.csv", ("sofa", "one", 0.5, points(0, 0, 9, 9)))).run
    odd = replace(run, queries=("caf\udce9",))
    write_parquet(odd, tmp_path / "odd.parquet")
    write_csv(odd, tmp_path / "odd.csv")
    for name in ("odd.parquet", "odd.csv"):
        assert read_run(tmp_path / name).run.queries == ("caf?",)


def test_parquet_whose_names_are_not_utf_8_is_refused(tmp_path: Path) -> None:
    table = pa.table({"query": ["a"], "page": ["p"], "score": [0.5], "points": ["1,1 2,2 3,1"],
                      "another_one": [1]})  # fmt: skip
    pq.write_table(table, tmp_path / "run.parquet", compression="none", store_schema=False)
    content = (tmp_path / "run.parquet").read_bytes()
    (tmp_path / "run.parquet").write_bytes(content.replace(b"another_one", b"another\xff\xfene"))
    with pytest.raises(SpotlabError, match=r"run\.parquet"):
        read_run(tmp_path / "run.parquet")


class Broken:
    """An engine of a network whose weights are garbage."""

    def run(self, given: np.ndarray, name: str, outputs: list[str]) -> list[np.ndarray]:
        return [np.full((len(given), 2), np.nan, np.float32)]


def test_a_network_that_yields_no_numbers_is_refused(tmp_path: Path) -> None:
    network = Network(tmp_path / "own.onnx", "", {}, Broken())
    with pytest.raises(BadInput, match=r"own\.onnx: it yields values that are no numbers"):
        network.run(np.zeros((1, 1, 4, 4), np.float32), "images", ["embedding"])


@pytest.mark.parametrize("levels", [DEEP, "[1e999]", f"[{LONG}]"])
def test_a_network_whose_metadata_are_odd_is_refused(levels: str, tmp_path: Path) -> None:
    def field(number: int, content: bytes) -> bytes:
        size, said = len(content), bytearray([number << 3 | 2])
        while size > 127:
            said.append(size & 127 | 128)
            size >>= 7
        return bytes([*said, size]) + content

    entries = {"alphabet": "abc", "levels": levels}
    parts = [field(14, field(1, key.encode()) + field(2, value.encode()))
             for key, value in entries.items()]  # fmt: skip
    shipped = needed_model("words.onnx").read_bytes()
    (tmp_path / "own.onnx").write_bytes(shipped + b"".join(parts))
    with pytest.raises(BadInput, match=r"own\.onnx"):
        read_network(tmp_path / "own.onnx")
