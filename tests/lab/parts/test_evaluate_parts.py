"""Part by part, runs have the figures that they have as a whole, whoever computes them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow.parquet
import pytest

from spotlab.errors import BadInput, Cancelled, SpotlabError
from spotlab.formats.collection.truth_parts import read_truth_part, truth_bytes
from spotlab.formats.rows.part_folder import PartFolder
from spotlab.formats.runs import ReadRun
from spotlab.geometry.polygon import Outlines
from spotlab.lab.parts import part_tally, query_figures
from spotlab.lab.parts.evaluate_parts import PartsEvaluation, evaluate_parts
from spotlab.lab.parts.partition import write_parts
from spotlab.measures.matching import ERROR_KINDS
from spotlab.measures.measure import MeasureSettings
from spotlab.measures.tally import Overlap
from spotlab.model import Ignore, Page, Region, Run, Truth
from spotlab.studies.evaluate.evaluate import evaluate
from spotlab.studies.tally.truth import TruthSet, read_truths

PAGES, SIDE = 23, 100
LABELS = ("bed", "door", "sofa", "window")


def square(x: float, y: float, size: float) -> tuple[tuple[float, float], ...]:
    return ((x, y), (x + size, y), (x + size, y + size), (x, y + size))


def collection(seed: int, *, ranked: bool = False, ignored: bool = True) -> tuple[TruthSet, Run]:
    """Random squares; some are ignored, some spots equal, some pages without regions or truth."""
    chance = np.random.default_rng(seed)
    truths = {}
    for number in range(PAGES):
        regions = []
        for at in range(int(chance.integers(0, 6))):
            x, y, size = chance.integers(-3, 90), chance.integers(0, 90), chance.integers(5, 30)
            label = str(chance.choice([*LABELS[:3], ""]))
            kind = Ignore(str(chance.choice(["no", "no", "no", "symbol", "area"])))
            regions.append(
                Region(square(float(x), float(y), float(size)), label, f"r{at}",
                       ignore=kind if ignored else Ignore.NO)
            )  # fmt: skip
        page = Page(Path(f"page_{number}.png"), SIDE, SIDE + number)
        truths[page.name] = Truth(page, tuple(regions))
    count = 400
    pages = [f"page_{number}" for number in chance.integers(0, PAGES + 1, count)]
    places = chance.integers(0, 90, (count, 3))
    rings = [square(float(x), float(y), 5 + float(size) / 3) for x, y, size in places]
    score = np.round(chance.random(count), 1)  # many are tied
    queries = [str(name) for name in chance.choice(LABELS[1:], count)]
    rank = None
    if ranked:
        rank, score = chance.permutation(count) + 1.0, np.full(count, np.nan)
    run = Run.ordered("mine", queries, pages, Outlines.of(rings), rank=rank, score=score)
    return TruthSet(truths), run


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PartFolder]:
    out = PartFolder.of(tmp_path_factory.mktemp("parts"))
    truth_set, run = collection(1)
    assert write_parts(truth_set, {"mine": run}, out, pages=5) == 5
    yield out


def of_parts(folder: PartFolder, out: Path | str, **how: object) -> PartsEvaluation:
    return evaluate_parts(folder / "truth", [folder / "runs" / "mine"], PartFolder.of(out), **how)  # type: ignore[arg-type]


def said(evaluation: PartsEvaluation) -> str:
    """All figures, to the last digit."""
    [run] = evaluation.runs
    figures = run.figures
    return json.dumps(
        [
            figures.queries,
            {name: column.tolist() for name, column in figures.columns.items()},
            figures.mean, figures.pooled, replace(run.totals, reused=0).as_dict(),
            repr(run.intervals_over_queries),
        ]
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    ("overlap", "ranked", "ignored"),
    [(Overlap.UNION, False, True), (Overlap.UNION, True, False), (Overlap.SUM, True, True)],
)
def test_figures_are_those_of_the_whole(
    tmp_path: Path, overlap: Overlap, ranked: bool, ignored: bool
) -> None:
    settings = MeasureSettings(overlap)
    truth_set, run = collection(3, ranked=ranked, ignored=ignored)
    parts = PartFolder.of(tmp_path / "parts")
    write_parts(truth_set, {"mine": run}, parts, pages=4)
    [whole] = evaluate(truth_set, [ReadRun(run)], settings, draws=20).runs
    [found] = of_parts(parts, tmp_path / "out", settings=settings).runs
    assert found.figures.queries == whole.tally.queries
    for name, column in whole.figures.columns.items():
        np.testing.assert_allclose(found.figures.columns[name], column, 1e-12, 1e-12, err_msg=name)
    assert found.figures.in_truth.tolist() == whole.figures.in_truth.tolist()
    for name, value in whole.figures.pooled.items():
        assert (value is None) == (found.figures.pooled[name] is None)
        assert value is None or found.figures.pooled[name] == pytest.approx(value, rel=1e-12), name
    for name, interval in whole.intervals["queries"].items():
        other = found.intervals_over_queries[name]
        assert (other is None) == (interval is None)
        assert interval is None or other.low == pytest.approx(interval.low), name
    for place, query in enumerate(whole.tally.queries):
        errors = [int(whole.errors.count(kind)[place]) for kind in ERROR_KINDS]
        assert list(found.totals.queries[query][2:]) == errors
    assert found.totals.evaluated == len(whole.tally) < found.totals.spots == len(run)
    assert found.totals.left_out == sum(left.spots for left in whole.left_out) > 0


@pytest.mark.slow
def test_jobs_and_forms_of_tables_do_not_matter(folder: PartFolder, tmp_path: Path) -> None:
    here = said(of_parts(folder, tmp_path / "one"))
    assert said(of_parts(folder, tmp_path / "two", jobs=2)) == here
    again = of_parts(folder, tmp_path / "one")
    assert (again.runs[0].totals.reused, said(again)) == (5, here)


def test_small_groups_of_queries_give_the_same(
    folder: PartFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = said(of_parts(folder, tmp_path / "large"))
    monkeypatch.setattr(query_figures, "SPOTS", 10)
    monkeypatch.setattr(part_tally, "ROW_GROUP", 7)
    assert said(of_parts(folder, tmp_path / "small")) == expected
    assert len((PartFolder.of(tmp_path / "small") / "mine" / "curves").names()) == 4


def test_a_cancelled_evaluation_goes_on_where_it_was(folder: PartFolder, tmp_path: Path) -> None:
    def stop(done: int, _total: int | None, doing: str) -> None:
        if done == 3 and doing.startswith("tallying"):
            raise Cancelled

    with pytest.raises(Cancelled):
        of_parts(folder, tmp_path, progress=stop)
    found = of_parts(folder, tmp_path)
    assert found.runs[0].totals.reused == 3
    assert said(found) == said(of_parts(folder, tmp_path / "other"))


def test_what_changes_is_tallied_again(tmp_path: Path) -> None:
    truth_set, run = collection(5)
    parts = PartFolder.of(tmp_path / "parts")
    write_parts(truth_set, {"mine": run}, parts, pages=4)
    before = said(of_parts(parts, tmp_path / "out"))
    other, _ = collection(6)
    changed = PartFolder.of(tmp_path / "changed")
    write_parts(other, {}, changed, pages=4)
    (parts / "truth").write("part-00002.parquet", (changed / "truth").read("part-00002.parquet"))
    found = of_parts(parts, tmp_path / "out")
    assert found.runs[0].totals.reused == 5  # of six
    assert before != said(found) == said(of_parts(parts, tmp_path / "fresh"))


@pytest.mark.parametrize("at", [200, -20])
def test_a_damaged_tally_is_made_anew(folder: PartFolder, tmp_path: Path, at: int) -> None:
    """In its columns, or in what is said of them."""
    expected = said(of_parts(folder, tmp_path))
    file = tmp_path / "mine" / "tallies" / "part-00001.parquet"
    whole = file.read_bytes()
    content = bytearray(whole)
    content[at] ^= 255
    file.write_bytes(content)
    for curves in (tmp_path / "mine" / "curves").iterdir():
        curves.unlink()
    again = of_parts(folder, tmp_path)
    assert json.loads(said(again))[1] == json.loads(expected)[1]
    assert again.runs[0].totals.reused == 4
    assert "damaged tallies were made anew: part-00001.parquet" in again.runs[0].remarks
    assert file.read_bytes() == whole


def test_a_tally_that_is_damaged_meanwhile_is_named(folder: PartFolder, tmp_path: Path) -> None:
    file = tmp_path / "mine" / "tallies" / "part-00001.parquet"

    def damage(_done: int, _total: int | None, doing: str) -> None:
        if doing.startswith("ranking"):
            content = bytearray(file.read_bytes())
            content[200] ^= 255
            file.write_bytes(content)

    with pytest.raises(SpotlabError, match=r"part-00001.parquet is gone or damaged; delete it"):
        of_parts(folder, tmp_path, progress=damage)


def test_parts_that_do_not_fit_are_told(folder: PartFolder, tmp_path: Path) -> None:
    (tmp_path / "odd").mkdir()
    with pytest.raises(BadInput, match="there are no parts"):
        evaluate_parts(folder / "truth", [PartFolder.of(tmp_path / "odd")], folder)
    (tmp_path / "odd" / "part-9.parquet").write_bytes(b"")
    with pytest.raises(BadInput, match=r"part-9\.parquet has no truth"):
        evaluate_parts(folder / "truth", [PartFolder.of(tmp_path / "odd")], folder)


def test_parts_that_are_taken_for_page_files_are_told(folder: PartFolder) -> None:
    with pytest.raises(BadInput, match=r"it has no truth.*'spotlab parts evaluate'"):
        read_truths([Path((folder / "truth").place)])


def test_object_storage_is_a_folder_like_others(tmp_path: Path) -> None:
    pytest.importorskip("fsspec")
    truth_set, run = collection(1)
    parts = PartFolder.of("memory://collection/parts")
    write_parts(truth_set, {"mine": run}, parts, pages=5)
    assert (parts / "truth").names()[-1] == "part-00004.parquet"
    there = of_parts(parts, "memory://collection/out")
    own = PartFolder.of(tmp_path / "parts")
    write_parts(truth_set, {"mine": run}, own, pages=5)
    assert said(there) == said(of_parts(own, tmp_path.as_uri() + "/out"))
    assert of_parts(parts, "memory://collection/out").runs[0].totals.reused == 5


@pytest.mark.parametrize(
    ("column", "value", "problem"),
    [
        ("points", [0.0, 0.0, 9.0], "points has 3 numbers"),
        ("page", " ", "page is empty"),
        ("page_width", 7, "page one has another size in an earlier row"),
        ("ignore", "maybe", "'maybe' is not a valid Ignore"),
    ],
)
def test_bad_rows_of_the_truth_are_named(column: str, value: object, problem: str) -> None:
    region = Region(square(0, 0, 9), "bed", "r1")
    truth = Truth(Page(Path("one.png"), 50, 50), (region, replace(region, id="r2")))
    rows = pyarrow.parquet.read_table(pyarrow.BufferReader(truth_bytes([truth]))).to_pydict()
    rows[column][1] = value
    content = pyarrow.BufferOutputStream()
    pyarrow.parquet.write_table(pyarrow.table(rows), content)
    with pytest.raises(BadInput, match=f"row 2: .*{problem}|{problem}") as told:
        read_truth_part(content.getvalue().to_pybytes(), "part-0.parquet")
    assert "part-0.parquet" in str(told.value) and "row 2" in str(told.value)
    rows.pop("points")
    content = pyarrow.BufferOutputStream()
    pyarrow.parquet.write_table(pyarrow.table(rows), content)
    with pytest.raises(BadInput, match="no column points"):
        read_truth_part(content.getvalue().to_pybytes(), "part-0.parquet")
