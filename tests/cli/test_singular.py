"""What there is one of is said in the singular, by commands and in the report."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from spotlab.cli.root import main
from spotlab.errors import counted
from spotlab.formats.truth import page_xml
from spotlab.model import Page, Primitive, Region, Truth

NOUNS = (
    "regions|pages|runs|queries|spots|labels|symbols|words|items|systems|lists|files|lines|places|"
    "classes|models|points|parts|columns|rows|problems|findings|times|draws|texts|errors"
)
WRONG = re.compile(rf"(?<![\d.,/–-])\b1 (?:new |truth |bad )?(?:{NOUNS})\b")


@pytest.fixture
def one(tmp_path: Path) -> Path:
    """A page with one region, and a run with one spot on it."""
    image = Image.new("L", (200, 150), 255)
    ImageDraw.Draw(image).rectangle((40, 40, 99, 89), outline=0, width=3)
    image.save(tmp_path / "page.png")
    corners = ((40, 40), (100, 40), (100, 90), (40, 90))
    region = Region(corners, "sofa", primitive=Primitive.BOX)
    truth = Truth(Page(tmp_path / "page.png", 200, 150), (region,))
    page_xml.write(truth, tmp_path / "page.xml")
    spot = 'sofa,page,1,0.9,"42,42 98,42 98,88 42,88"\n'
    (tmp_path / "run.csv").write_text(f"query,page,rank,score,points\n{spot}")
    return tmp_path


@pytest.mark.parametrize(
    "command",
    [
        ("validate", "."),
        ("evaluate", "--truth", ".", "--run", "run.csv", "--out", "report"),
        ("convert", ".", "truth.json", "--to", "coco"),
        ("convert", "page.xml", "page.csv", "--to", "labelme"),
        ("parts", "write", "--truth", ".", "--run", "run.csv", "--out", "parts"),
        ("synthesise", "floorplans", "--pages", "1", "--seed", "3", "--out", "plans"),
        ("scalability", "--truth", ".", "--run", "run.csv", "--draws", "1"),
    ],
)
def test_one_is_singular(
    one: Path,
    command: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(one)
    with pytest.raises(SystemExit) as ended:
        main(list(command))
    assert ended.value.code in (0, None), capsys.readouterr()
    out, err = capsys.readouterr()
    report = one / "report" / "report.html"
    shown = re.sub(r"<script.*?</script>|<[^>]*>", " ", report.read_text(), flags=re.S) if (
        report.exists()
    ) else ""  # fmt: skip
    assert out or err
    assert not [*WRONG.finditer(out), *WRONG.finditer(err), *WRONG.finditer(shown)], (out, err)


def test_the_pattern_sees_plurals() -> None:
    assert WRONG.search("wrote 1 regions") and WRONG.search("1 new pages:")
    assert not WRONG.search("1 region on 11 pages") and not WRONG.search("1 of 12 pages")
    assert counted(1, "query") == "1 query" and counted(2, "query") == "2 queries"
