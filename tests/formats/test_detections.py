"""Detections in the forms that people have: all are read as the same run, or refused by a cause."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spotlab.api.evaluate import evaluate
from spotlab.api.read_run import read_run
from spotlab.errors import BadArgument, BadInput, SpotlabError
from tests.formats.detection_files import DETECTIONS, FORMS, RECORDS, write_form, write_truth
from tests.judging_files import command

Captured = pytest.CaptureFixture[str]
WANTED = sorted((d.name, d.page, d.score, *map(float, d.corners)) for d in DETECTIONS)


def boxes(read: Any) -> list[tuple[Any, ...]]:
    found = []
    for spot in map(read.run.spot, range(len(read.run))):
        low, high = spot.points.min(axis=0).round(6), spot.points.max(axis=0).round(6)
        page = spot.page.removesuffix(".png").rpartition("/")[2]
        found.append((spot.query, page, round(spot.score, 6), *low.tolist(), *high.tolist()))
    return sorted(found)


@pytest.mark.parametrize("form", FORMS)
def test_a_form_of_detections_is_read(form: str, tmp_path: Path) -> None:
    truth = write_truth(tmp_path)
    read = read_run(write_form(tmp_path, form), truth=truth)
    assert boxes(read) == WANTED
    assert read.read.bad_lines == ()


@pytest.mark.parametrize("form", ["yolo", "comp3.d", "excel.csv", "detectron.json", "labelme.d"])
def test_the_command_evaluates_a_form(form: str, tmp_path: Path, capsys: Captured) -> None:
    truth = write_truth(tmp_path)
    assert (
        command("evaluate", "--truth", truth, "--run", write_form(tmp_path, form), "--json", "-")
        == 0
    )
    (run,) = json.loads(capsys.readouterr().out)["runs"]
    assert run["mean"]["f"] == pytest.approx(1)


def test_tables_in_memory_and_parquet_are_read(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    truth = write_truth(tmp_path)
    frame = pandas.DataFrame(RECORDS)
    sizes = frame.assign(bbox=[[d.x, d.y, d.w, d.h] for d in DETECTIONS])[
        ["image", "label", "score", "bbox"]
    ]
    columns = {name: [record[name] for record in RECORDS] for name in RECORDS[0]}
    for number, table in enumerate((frame, sizes.rename(columns={"bbox": "bbox_xywh"}), sizes)):
        assert boxes(read_run(table, truth=truth)) == WANTED
        table.to_parquet(tmp_path / f"{number}.parquet")
        assert boxes(read_run(tmp_path / f"{number}.parquet", truth=truth)) == WANTED
    assert boxes(read_run(columns, truth=truth)) == WANTED
    assert len(evaluate(truth, columns, draws=0).evaluation.runs) == 1


def test_columns_are_named_by_a_person(tmp_path: Path, capsys: Captured) -> None:
    truth = write_truth(tmp_path)
    rows = "".join(
        f"{d.page},{d.x},{d.y},{d.corners[2]},{d.corners[3]},{d.name},{d.score}\n"
        for d in DETECTIONS
    )
    odd = tmp_path / "odd.csv"
    odd.write_text("scan,u0,v0,u1,v1,kind,belief\n" + rows)
    chosen = "page=scan,query=kind,score=belief,xyxy=u0 v0 u1 v1"
    assert boxes(read_run(odd, columns=chosen)) == WANTED
    assert command("evaluate", "--truth", truth, "--run", odd, "--columns", chosen) == 0
    headless = tmp_path / "headless.csv"
    headless.write_text(rows)
    assert boxes(read_run(headless, columns="page=1,query=6,score=7,xyxy=2 3 4 5")) == WANTED
    one = read_run(odd, columns="page=scan,query='door',score=belief,xywh=u0 v0 u1 v1,unit=px")
    assert one.run.queries == ("door",)
    assert one.run.outlines[0].max(axis=0).tolist() == [120 + 260, 80 + 170]
    capsys.readouterr()
    for run in (odd, headless):
        assert command("evaluate", "--truth", truth, "--run", run) == 2
        told = capsys.readouterr().err
        assert f"{run.name}, line 1: there is no column" in told
        assert 'columns such as "page=image,query=class,score=conf,xyxy=x1 y1 x2 y2"' in told
    for wrong in ("page", "corner=a b c d", "xyxy=a b", "page=nothing"):
        with pytest.raises(BadArgument, match="columns"):
            read_run(odd, columns=wrong)


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("a.csv", 'image,label,score,bbox\nplan,sofa,1,"[10, 10, 60, 60]"\n',
         "the boxes can be left, top, right, bottom, or left, top, width, height"),
        ("a.csv", "image,label,score,cx,cy,w,h\nother,sofa,1,.5,.5,.2,.2\n",
         "the size of 'other' is not known"),
        ("a.csv", "image,label,score,x1,y1,x2\nplan,sofa,1,1,1,1\n", "there is no column points"),
        ("a.csv", "Image Name,Prediction,Confidence\nplan,sofa,1\n", "there is no column points"),
        ("plan.txt", "7 .5 .5 .2 .2 .9\n", "none of its queries (1) is a label of the truth: 7"),
        ("a.json", '{"a": 1}', "there is no column query"),
        ("a.trec", "sofa Q0 plan 1 .9 mine\n", "the item 'plan' is no box on a page"),
        ("a.trec", "sofa Q0 plan 1 .9\n", "this is no run; line 1 is 'sofa Q0 plan 1 .9'"),
    ],
)  # fmt: skip
def test_what_is_not_certain_is_refused_by_its_cause(
    name: str, text: str, problem: str, tmp_path: Path
) -> None:
    file = tmp_path / name
    file.write_text(text)
    with pytest.raises(SpotlabError) as raised:
        evaluate(write_truth(tmp_path), file, draws=0)
    assert problem in str(raised.value) and name in str(raised.value)


def test_a_guess_that_the_truth_contradicts_is_refused(tmp_path: Path) -> None:
    truth = write_truth(tmp_path)
    folder = write_form(tmp_path, "yolo")
    (folder / "data.yaml").unlink()
    for file in (folder / "labels").iterdir():  # the numbers of another order of classes
        lines = file.read_text().splitlines()
        file.write_text("".join(f"{1 - int(line[0])}{line[1:]}\n" for line in lines))
    with pytest.raises(BadInput, match=r"spots taken for 'chair' lie on 'sofa'; expected"):
        evaluate(truth, folder, draws=0)
    names = tmp_path / "classes.txt"
    names.write_text("chair\nsofa\n")
    found = evaluate(truth, folder, naming=names, draws=0)
    assert found.evaluation.runs[0].figures.mean["f"] == pytest.approx(1)


def test_image_ids_that_do_not_fit_the_pages_are_refused(tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    for number in (1, 2, 3):
        x = 40 * number
        (pages / f"p{number}.xml").write_text(
            '<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15">'
            f'<Page imageFilename="p{number}.png" imageWidth="200" imageHeight="100">'
            f'<CustomRegion id="r" type="bed">'
            f'<Coords points="{x},0 {x + 20},0 {x + 20},20 {x},20"/>'
            "</CustomRegion></Page></PcGts>"
        )
    results = tmp_path / "results.json"
    for order, fits in (((1, 2, 3), True), ((2, 3, 1), False)):
        results.write_text(json.dumps([
            {"image_id": id, "category_id": 1, "bbox": [40 * at, 0, 20, 20], "score": 0.5}
            for at, id in enumerate(order, 1)
        ]))  # fmt: skip
        if fits:
            assert evaluate(pages, results, draws=0).evaluation.runs[0].figures.mean["f"] == 1
            continue
        with pytest.raises(
            BadInput, match="image ids are taken for numbers of pages, which the truth"
        ):
            evaluate(pages, results, draws=0)


def test_bad_lines_of_text_files_are_named_and_the_rest_is_read(tmp_path: Path) -> None:
    truth = write_truth(tmp_path)
    folder = write_form(tmp_path, "yolo")
    file = folder / "labels" / "plan.txt"
    file.write_text(file.read_text() + "0 .5 .5 x .2 .9\n0 .5 .5 .2\n0 500 .5 .2 .2 .9\n")
    read = read_run(folder, truth=truth, skip_bad_lines=True)
    assert boxes(read) == WANTED
    assert [bad.place for bad in read.read.bad_lines] == [
        f"plan.txt, line {at}" for at in (3, 4, 5)
    ]


@pytest.mark.parametrize("form", ["comp3.d", "yolo", "one text a page.d", "run.trec"])
def test_a_first_line_that_is_bad_does_not_hide_what_the_others_are(
    form: str, tmp_path: Path
) -> None:
    path = write_form(tmp_path, form)
    files = [path] if path.is_file() else sorted(path.rglob("*.txt"))
    for file in files:
        file.write_text("plan 0.9 10\n" + file.read_text())
    read = read_run(path, truth=write_truth(tmp_path), skip_bad_lines=True)
    assert boxes(read) == WANTED
    assert len(read.read.bad_lines) == len(files)


def test_boxes_in_shares_on_pages_without_truth_cost_only_these(tmp_path: Path) -> None:
    truth = write_truth(tmp_path)
    folder = write_form(tmp_path, "yolo")
    (folder / "labels" / "other.txt").write_text("0 .5 .5 .2 .2 .9\n")
    (run,) = evaluate(truth, folder, draws=0).evaluation.runs
    assert run.figures.mean["f"] == pytest.approx(1)
    assert any("the size of 1 page is not known" in remark for remark in run.remarks)


def test_boxes_against_other_outlines_are_told(tmp_path: Path) -> None:
    truth = {"page": ["p"], "label": ["bed"], "points": ["0,0 20,0 10,20"], "page_width": [99],
             "page_height": [99]}  # fmt: skip
    run = {"image": ["p"], "class": ["bed"], "score": [1], "x1": [0], "y1": [0], "x2": [20],
           "y2": [20]}  # fmt: skip
    told = "all spots are boxes, and 1 of 1 region of the truth are not"
    (found,) = evaluate(truth, run, draws=0).evaluation.runs
    assert any(told in remark and "--primitive box" in remark for remark in found.remarks)
    (found,) = evaluate(truth, run, primitive="box", draws=0).evaluation.runs
    assert not any(told in remark for remark in found.remarks)
    assert found.figures.mean["f"] == 1


def test_a_large_table_of_boxes_is_read_at_once(tmp_path: Path) -> None:
    file = tmp_path / "large.csv"
    numbers = np.random.default_rng(1).integers(0, 500, (5_000, 2))
    rows = "".join(
        f"p,bed,{at / 5000},{x},{y},{x + 9},{y + 9}\n" for at, (x, y) in enumerate(numbers)
    )
    file.write_text("image,class,score,x1,y1,x2,y2\n" + rows)
    run = read_run(file).run
    assert run.outlines[len(run) - 1].tolist()[0] == numbers[0].tolist()
