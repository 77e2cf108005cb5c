"""Runs in PAGE XML: a file or a folder, scored by conf or ranked by order."""

from __future__ import annotations

from pathlib import Path

import pytest

from spotlab.errors import BadInput
from spotlab.formats.runs import read_run
from spotlab.studies.tally.truth import match_pages, read_truths

SPACE = "http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15"
HEAD = f'<PcGts xmlns="{SPACE}"><Metadata/>\n'
RING = "0,0 4,0 4,4"


def region(label: str, conf: str = "", points: str = RING, more: str = "") -> str:
    conf = f' conf="{conf}"' if conf else ""
    return (
        f'<CustomRegion id="r" type="{label}">'
        f'<Coords points="{points}"{conf}/>{more}</CustomRegion>\n'
    )


def page(folder: Path, name: str, *regions: str, image: str = "", more: str = "") -> Path:
    path = folder / f"{name}.xml"
    path.parent.mkdir(parents=True, exist_ok=True)
    image = image or f"{name}.png"
    opening = f'<Page imageFilename="{image}" imageWidth="9" imageHeight="9"{more}>\n'
    path.write_text(HEAD + opening + "".join(regions) + "</Page></PcGts>")
    return path


def test_conf_is_the_score(tmp_path: Path) -> None:
    word = '<TextRegion id="t" type="heading"><Coords points="1,1 2,1 2,2"/>{}</TextRegion>\n'
    inner = ('<TextLine id="l"><Coords points="1,1 2,1 2,2"/><Word id="w">'
             '<Coords points="1,1 3,1 3,3"/><TextEquiv conf="0.5"><Unicode>a</Unicode>'
             "</TextEquiv></Word></TextLine><TextEquiv conf='.25'/>")  # fmt: skip
    got = read_run(
        page(tmp_path, "plan", region("sofa", "0.125"), region("sofa", "-2"), word.format(inner),
             region("sofa", "0.75").replace("<CustomRegion", '<CustomRegion custom="x {}"'),
             region("bed").replace('type="bed"', 'type="bed" custom="spotlab {conf:0.9;}"'))
    )  # fmt: skip
    assert got.bad_lines == ()
    assert got.remarks == ()
    run = got.run
    assert [(s.query, s.page, s.score) for s in map(run.spot, range(len(run)))] == [
        ("bed", "plan.png", 0.9), ("heading", "plan.png", 0.25), ("sofa", "plan.png", 0.75),
        ("sofa", "plan.png", 0.125), ("sofa", "plan.png", -2), ("word", "plan.png", 0.5),
    ]  # fmt: skip
    assert run.outlines[5].tolist() == [[1, 1], [3, 1], [3, 3]]
    assert run.line.tolist() == [7, 5, 6, 3, 4, 5]
    assert run.name == "plan"


def test_without_any_conf_the_order_is_the_rank(tmp_path: Path) -> None:
    got = read_run(page(tmp_path, "plan", region("b"), region("a"), region("b")))
    assert got.remarks == ("there are no conf attributes: the order in each file is the rank",)
    assert got.run.line.tolist() == [4, 3, 5]
    assert got.run.rank.tolist() == [1, 1, 2]
    assert not got.run.tied.any()


@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        (region("a"), "conf is missing, which others in the file have"),
        (region("a", "high"), "score is 'high', not a finite number"),
        (region("a", "nan"), "score is 'nan', not a finite number"),
        (region("", "1"), "query is empty"),
        (region("a", "1", "0,0 4,0"), "points has 2 corners, at least three are needed"),
        (region("a", "1", "0,0 4,0 x"), "'x' is not a point"),
        (region("a", "1", "0,0 4,0 99999999999,1"), "'99999999999,1' is not a point"),
    ],
)
def test_a_bad_region_is_named(bad: str, problem: str, tmp_path: Path) -> None:
    got = read_run(page(tmp_path, "plan", region("a", "1"), bad, region("a", ".5")))
    assert [str(each) for each in got.bad_lines] == [f"line 4, CustomRegion r: {problem}"]
    assert got.bad_lines[0].line == 4
    assert got.run.line.tolist() == [3, 5]


def test_a_folder_is_one_run(tmp_path: Path) -> None:
    folder = tmp_path / "my run"
    page(folder, "plan_10", region("a", "0.5"))
    page(folder, "plan_2", region("a", "0.5"), image="scans\\\\plan_2.jpg")
    page(folder / "more", "scan", region("a", "0.9"), image="scan.tif",
         more=' custom="spotlab {frame:1; frames:3;}"')  # fmt: skip
    page(folder / ".hidden", "x", region("a", "1"))
    (folder / "plan_3.xml").write_text(HEAD + "<Page>")
    (folder / "other.xml").write_text("<alto/>")
    page(folder, "plan_4", region("a"), region("a"))
    page(folder, "plan_5")
    got = read_run(folder)
    run = got.run
    assert run.name == "my run"
    assert [run.spot(i).page for i in range(len(run))] == ["scan_p2", "plan_2.jpg", "plan_10.png"]
    assert run.tied.tolist() == [False, True, True]
    assert [str(each) for each in got.bad_lines] == [
        "plan_3.xml, line 2: the file is left out: not well-formed XML: no element found",
        "plan_4.xml: left out: it has no conf attributes, unlike the other files",
    ]


def test_a_folder_or_file_without_page_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="this is no run; expected one of"):
        read_run(tmp_path)
    (tmp_path / "a.xml").write_text(HEAD + "<Page>")
    for path in (tmp_path, tmp_path / "a.xml"):
        with pytest.raises(BadInput, match=r"a\.xml, line 2: not well-formed XML"):
            read_run(path)


def test_the_truth_itself_can_be_read_as_a_run() -> None:
    folder = Path(__file__).parents[2] / "datasets" / "floorplans"
    truth_set, got = read_truths([folder]), read_run(folder)
    assert got.bad_lines == ()
    assert len(got.run) == sum(len(truth.regions) for truth in truth_set.truths.values())
    pages = match_pages(got.run.pages, truth_set)
    assert set(pages.values()) == set(truth_set.truths)
