"""Manuscripts: outlines tight on the ink, texts in order, the same pages from the same seed."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import fields, replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
import shapely
from lxml import etree
from PIL import Image

from spotlab.cli import root
from spotlab.errors import Cancelled, NotSaved, SpotlabError
from spotlab.formats.rows.reading import Consequence, Reading
from spotlab.formats.truth import page_xml
from spotlab.geometry.polygon import is_convex
from spotlab.lab.commands.synthesise.documents import manuscript
from spotlab.lab.draw.manuscript.hand import make_hand
from spotlab.lab.draw.manuscript.layout import PageWriter, parts, passages
from spotlab.lab.draw.manuscript.options import CLEAN, WORN, ManuscriptOptions
from spotlab.lab.draw.manuscript.pages import make_page, write_collection, writer
from spotlab.studies.tally.truth import read_truths
from tests.lab.draw.word_image import render_word

SMALL = replace(CLEAN, width=600, height=500, lines=8)
DATASET = Path(__file__).resolve().parents[3] / "datasets" / "manuscript"
SCHEMA = (
    Path(__file__).resolve().parents[4] / "shared/data/page_alto_xsd/pagecontent_2019-07-15.xsd"
)


def words_of(truth_file: Path) -> list[tuple[str, tuple[float, ...]]]:
    (truth,) = read_truths([truth_file], words=True).truths.values()
    return [(region.text, region.bounds) for region in truth.regions]


def test_outlines_are_tight_on_the_ink() -> None:
    page, transcript = make_page(0, 4, replace(SMALL, lines=5, wander=0))
    ink = page < 226 - (226 - 40) * 80 / 255 + 0.5
    alone = 0
    hulls = [shapely.Polygon(word.hull) for word in transcript.words]
    tree = shapely.STRtree(hulls)
    for word, hull in zip(transcript.words, hulls, strict=True):
        assert is_convex(word.hull) and (word.hull == word.hull.round()).all()
        left, top, right, bottom = map(int, hull.bounds)
        part = ink[top:bottom, left:right]
        # ink reaches each of the four sides
        assert part[0].any() and part[-1].any() and part[:, 0].any() and part[:, -1].any()
        around = shapely.box(*hull.bounds).buffer(12, join_style="mitre")
        if word.behind or len(tree.query(around)) > 1:
            continue
        # and none of it lies beside a word that stands alone
        alone += 1
        wide = ink[top - 4 : bottom + 4, left - 4 : right + 4]
        assert wide.sum() == part.sum() > 0
    assert alone >= 3


def test_all_ink_is_in_a_word_or_behind_one() -> None:
    page, transcript = make_page(2, 4, SMALL)
    rows, columns = np.nonzero(page < 160)
    words = shapely.union_all([shapely.Polygon(word.hull) for word in transcript.words])
    inside = shapely.contains_xy(words, columns + 0.5, rows + 0.5)
    behind = sum(bool(word.behind) for word in transcript.words)
    assert behind > 0
    assert inside.mean() > 0.97
    assert not inside.all()  # the commas


def test_the_text_is_what_was_to_be_written_divided_at_line_ends() -> None:
    options = replace(SMALL, height=1200, lines=20, hyphens=1.0)
    rng = np.random.default_rng(3)
    blocks = PageWriter(options, make_hand(1), rng).blocks()
    divided = 0
    for block in blocks:
        for line, following in zip(block.lines, block.lines[1:], strict=False):
            last = line.words[-1].text
            if last.endswith("-"):
                whole = last[:-1] + following.words[0].text
                assert parts(whole) == (last[:-1], following.words[0].text)
                divided += 1
    assert divided >= 2
    undivided = PageWriter(
        replace(options, hyphens=0.0), make_hand(1), np.random.default_rng(3)
    ).blocks()
    ends = [line.words[-1].text for block in undivided for line in block.lines]
    assert not any(text.endswith("-") for text in ends)
    source = passages(np.random.default_rng(8))
    texts = [next(source).text for _ in range(30)]
    assert all("  " not in text and "{" not in text and text.isascii() for text in texts)


def test_words_read_from_left_to_right_and_lines_from_top_to_bottom() -> None:
    _, transcript = make_page(1, 4, SMALL)
    lines = [line for block in transcript.blocks for line in block.lines]
    assert len(lines) == SMALL.lines
    middles = [shapely.Polygon(line.hull).centroid.y for line in lines]
    assert middles == sorted(middles)
    for line in lines:
        lefts = [word.hull[:, 0].min() for word in line.words]
        assert lefts == sorted(lefts)
        assert line.text.split(" ") == [word.text + word.behind for word in line.words]


@pytest.mark.parametrize("options", [SMALL, replace(SMALL, skew=8, wander=4, jitter=3)])
def test_the_files_hold_the_truth_and_stay_as_they_are(
    options: ManuscriptOptions, tmp_path: Path
) -> None:
    count = write_collection(tmp_path, 1, 4, options)
    _, transcript = make_page(0, 4, options)
    file = tmp_path / "letter_001.xml"
    expected = [
        (word.text, (*word.hull.min(axis=0).tolist(), *word.hull.max(axis=0).tolist()))
        for word in transcript.words
    ]
    assert words_of(file) == expected
    assert count == len(expected) > 10
    source = file.read_bytes()
    truth = page_xml.read(file)
    assert truth.page.image == tmp_path / "letter_001.png" and truth.page.image.exists()
    assert [region.label for region in truth.regions][:2] == ["heading", "paragraph"]
    assert truth.regions[0].text.startswith("To ")
    assert page_xml.serialise(truth, datetime(2020, 1, 1, tzinfo=UTC)) == source
    reading = Reading()
    page_xml.parse(source, file, reading=reading)
    assert not reading.findings.of([Consequence.LEFT_OUT, Consequence.REMARK])


def test_the_files_are_valid_page() -> None:
    if not SCHEMA.exists():
        pytest.skip("the PAGE schema is not here")
    schema = etree.XMLSchema(etree.parse(SCHEMA))
    files = sorted(DATASET.glob("*.xml"))
    assert len(files) == 6
    for file in files:
        schema.assertValid(etree.parse(file))
    rough = replace(WORN, width=500, height=500, lines=12, skew=10, wander=4, jitter=4, hands=3)
    _, transcript = make_page(2, 1, rough)  # some of it runs off the page
    schema.assertValid(etree.fromstring(transcript.page_xml("a&b.png")))
    for word in transcript.words:
        assert word.hull.min() >= 0 and word.hull.max() <= 500


@pytest.mark.slow
def test_a_page_depends_on_its_number_and_seed_alone(tmp_path: Path) -> None:
    options = replace(WORN, width=500, height=400, lines=5, hands=2)
    write_collection(tmp_path / "one", 2, 9, options, jobs=1)
    write_collection(tmp_path / "two", 3, 9, options, jobs=2)
    first = {path.name: path.read_bytes() for path in (tmp_path / "one").iterdir()}
    second = {path.name: path.read_bytes() for path in (tmp_path / "two").iterdir()}
    assert len(first) == 4 and first.items() <= second.items() and len(second) == 6
    other, others = make_page(0, 10, options)
    page, transcript = make_page(0, 9, options)
    assert (other != page).any()
    assert [w.text for w in others.words] != [w.text for w in transcript.words]


@pytest.mark.slow
def test_paper_and_scan_change_the_page_but_not_the_truth() -> None:
    clean, truth = make_page(0, 2, SMALL)
    changes = {"bleed": 1.0, "stains": 30.0, "texture": 6.0, "light": 60.0, "blur": 1.5}
    for name, value in changes.items():
        page, same = make_page(0, 2, replace(SMALL, **{name: value}))
        assert (page != clean).mean() > 0.01, name
        assert [w.hull.tolist() for w in same.words] == [w.hull.tolist() for w in truth.words]
    assert clean.max() == 226 and (clean == 226).mean() > 0.8
    bled, _ = make_page(0, 2, replace(SMALL, bleed=1.0))
    assert 5 < (clean[bled < clean].astype(float) - bled[bled < clean]).mean() < 120


def test_ink_fades_until_the_pen_is_dipped() -> None:
    dark = [make_page(0, 2, replace(SMALL, fading=fading))[0] for fading in (0.0, 0.5, 1.0)]
    means = [page[page < 150].mean() for page in dark]
    assert means[0] < means[1] < means[2]


@pytest.mark.slow
def test_lines_wander_turn_and_touch() -> None:
    straight = replace(SMALL, jitter=0, wander=0, skew=0)
    for line in (x for b in make_page(0, 2, straight)[1].blocks for x in b.lines):
        assert np.ptp(line.baseline[:, 1]) == 0
    turned = make_page(0, 2, replace(straight, skew=5))[1].blocks[1].lines[0].baseline
    assert 0 < abs(turned[-1, 1] - turned[0, 1]) <= np.tan(np.radians(5)) * 600
    wandering = make_page(0, 2, replace(straight, wander=2))[1].blocks[1].lines[0].baseline
    assert np.ptp(wandering[:, 1]) > 0.5
    lines = [x for b in make_page(0, 9, ManuscriptOptions())[1].blocks for x in b.lines]
    hulls = [shapely.Polygon(w.hull) for line in lines for w in line.words]
    row = [i for i, line in enumerate(lines) for _ in line.words]
    first, second = shapely.STRtree(hulls).query(hulls, predicate="intersects")
    meeting = sum(row[a] + 1 == row[b] for a, b in zip(first, second, strict=True))
    assert meeting >= 5  # ascenders among the descenders of the line before


def test_hands_differ_and_take_turns() -> None:
    def width(hand: int, seed: int) -> int:
        return render_word("Regiment", hand, seed, jitter=0).shape[1]

    assert len({width(hand, 0) for hand in range(6)}) >= 4
    two = replace(SMALL, hands=2)
    first, second, third = (writer(number, 3, two) for number in range(3))
    assert first == third != second
    assert writer(1, 3, SMALL) == writer(0, 3, SMALL) != writer(0, 4, SMALL)


def test_one_word_as_a_picture() -> None:
    word = render_word("Letters", 2, 7)
    assert word.dtype == np.uint8 and word.ndim == 2
    assert (word[[0, -1]] == 232).all() and (word[:, [0, -1]] == 232).all()
    ink = word < 160
    assert ink[3].any() and ink[-4].any() and ink[:, 3].any() and ink[:, -4].any()
    assert (word == render_word("Letters", 2, 7)).all()
    again = render_word("Letters", 2, 8)
    assert again.shape != word.shape or (again != word).any()
    steady = [render_word("Letters", 2, seed, jitter=0).shape for seed in (1, 2, 3)]
    assert np.ptp(np.array(steady), axis=0).max() <= 2
    small, large = (render_word("men", 0, 1, x_height=size).shape[0] - 6 for size in (10, 40))
    assert large == pytest.approx(4 * small, rel=0.15)
    with pytest.raises(ValueError, match="no hand can write 'é'"):
        render_word("blé")
    with pytest.raises(ValueError, match="no text"):
        render_word("")


@pytest.mark.parametrize(
    ("word", "both"),
    [
        ("received", ("recei", "ved")),
        ("Company", ("Com", "pany")),
        ("men", None),
        ("1755", None),
        ("strength", None),
    ],
)
def test_words_are_divided_before_a_consonant(word: str, both: tuple[str, str] | None) -> None:
    assert parts(word) == both


@pytest.mark.parametrize(
    "change", [{"bleed": 1.1}, {"width": 10}, {"blur": float("nan")}, {"jpeg": 99}, {"lines": 70}]
)
def test_options_out_of_range_are_named(change: dict[str, float]) -> None:
    (name,) = change
    with pytest.raises(ValueError, match=rf"{name} is .*; expected "):
        replace(SMALL, **change)


def test_senseless_numbers_and_work_that_is_there_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SpotlabError, match="0 pages, seed 1"):
        write_collection(tmp_path, 0, 1, SMALL)
    (tmp_path / "letter_002.xml").write_text("written by hand")
    with pytest.raises(NotSaved, match=re.escape("letter_002.xml is there already")):
        write_collection(tmp_path, 2, 1, SMALL)
    assert [path.name for path in tmp_path.iterdir()] == ["letter_002.xml"]


def test_cancelling_leaves_whole_pages_only(tmp_path: Path) -> None:
    def stop(done: int, _total: int | None, _doing: str) -> None:
        if done == 1:
            raise Cancelled

    with pytest.raises(Cancelled):
        write_collection(tmp_path, 3, 1, SMALL, 1, stop)
    assert {path.name for path in tmp_path.iterdir()} == {"letter_001.png", "letter_001.xml"}


def test_the_command_has_every_option_and_says_what_it_wrote(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = {option.name: option for option in manuscript.params}
    for field in fields(ManuscriptOptions):
        text = options[field.name].help  # type: ignore[attr-defined]
        assert len(text.partition("[default")[0].strip()) > 5, field.name
    arguments = "synthesise manuscript --pages 1 --seed 2 --manner worn --width 400 --height 300"
    chosen = [*arguments.split(), "--lines", "4", "--jpeg", "70", "--out", str(tmp_path)]
    with pytest.raises(SystemExit) as ended:
        root.main(chosen)
    assert not ended.value.code
    assert re.search(r"wrote 1 page with \d+ words", capsys.readouterr().out)
    with Image.open(tmp_path / "letter_001.jpg") as image:
        assert (image.format, image.mode, image.size) == ("JPEG", "L", (400, 300))
    with pytest.raises(SystemExit) as ended:
        root.main([*chosen, "--bleed", "3"])
    assert ended.value.code == 2
    assert "bleed is 3.0; expected 0 to 1" in capsys.readouterr().err


def test_the_sample_collection_comes_from_its_seed() -> None:
    recipe = (DATASET.parent / "README.md").read_text()
    line = next(line for line in recipe.splitlines() if "spotlab synthesise manuscript --p" in line)
    given = dict(re.findall(r"--([a-z-]+) ([\w./]+)", line))
    pages, seed = int(given.pop("pages")), int(given.pop("seed"))
    assert given.pop("out") == "datasets/manuscript"
    options = ManuscriptOptions(
        **{name: type(getattr(ManuscriptOptions(), name))(value) for name, value in given.items()}
    )
    assert len(list(DATASET.glob("*.jpg"))) == len(list(DATASET.glob("*.xml"))) == pages
    page, transcript = make_page(4, seed, options)
    written = words_of(DATASET / "letter_005.xml")
    assert [text for text, _ in written] == [word.text for word in transcript.words]
    boxes = [(*w.hull.min(axis=0), *w.hull.max(axis=0)) for w in transcript.words]
    # another machine may round a sine the other way: a pixel of ink more or less
    assert np.abs(np.array([box for _, box in written]) - boxes).max() <= 1
    with Image.open(DATASET / "letter_005.jpg") as image:
        assert np.abs(np.asarray(image, float) - page).mean() < 6
    assert sum(path.stat().st_size for path in DATASET.iterdir()) < 2_500_000


def test_the_sample_collection_has_words_to_search_for() -> None:
    count = Counter(
        text.lower()
        for file in DATASET.glob("*.xml")
        for text, _ in words_of(file)
        if len(text) > 3
    )
    assert sum(number >= 5 for number in count.values()) >= 30
    assert any(text.endswith("-") for text in count)
