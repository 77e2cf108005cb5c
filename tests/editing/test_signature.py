"""Who drew and changed regions: in steps, after undo, in the truth file and in the journal."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from lxml import etree

from spotlab.editing.document import Edit, sign
from spotlab.editing.operations import duplicate, split
from spotlab.editing.selection import Clipboard
from spotlab.editing.session import EditingSession
from spotlab.formats.collection.detect import known_formats
from spotlab.formats.collection.fitting import fit
from spotlab.formats.truth import page_xml
from spotlab.model import Contribution, Deed, Page, Region, Truth
from spotlab.progress import silent
from tests.formats.page_files import NOW, PATH, assert_valid, by_id, rich, save, with_region

SQUARE = ((0, 0), (10, 0), (10, 10), (0, 10))
START = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
NAMESPACE = {"p": "http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15"}


def said(region: Region) -> list[tuple[str, str]]:
    return [(entry.deed.value, entry.author) for entry in region.history]


def signed_by(author: str, session: EditingSession) -> EditingSession:
    session.author = author
    return session


def test_drawing_and_changing_is_signed_and_undo_restores_the_history(tmp_path: Path) -> None:
    page = Page(tmp_path / "plan.png", 100, 80)
    session = signed_by("Anna", EditingSession.open(tmp_path / "plan.xml", page))
    region = Region(SQUARE, "sofa")
    session.history.do("Draw", session.document.adding(region))
    assert said(session.document[region.id]) == [("drawn", "Anna")]
    signed_by("Bert", session)
    for label in ("bed", "desk"):
        changed = replace(session.document[region.id], label=label)
        session.history.do("Label", session.document.replacing(changed))
    assert said(session.document[region.id]) == [("drawn", "Anna"), ("changed", "Bert")]
    session.history.undo()
    session.history.undo()
    assert said(session.document[region.id]) == [("drawn", "Anna")]
    session.history.redo()
    session.save()
    assert [said(region) for region in page_xml.read(session.path).regions] == [
        [("drawn", "Anna"), ("changed", "Bert")]
    ]
    assert_valid(session.path.read_bytes())
    session.close()


def test_a_journal_keeps_who_did_what(tmp_path: Path) -> None:
    page, path = Page(tmp_path / "plan.png", 100, 80), tmp_path / "plan.xml"
    session = signed_by("Anna", EditingSession.open(path, page))
    session.history.do("Draw", session.document.adding(Region(SQUARE, "sofa", "r1")))
    history = session.document["r1"].history
    session.close()  # as if killed: nothing was saved
    again = EditingSession.open(path, page)
    assert again.document["r1"].history == history
    again.close()


def test_without_an_author_nothing_is_added(tmp_path: Path) -> None:
    session = EditingSession.open(tmp_path / "plan.xml", Page(tmp_path / "plan.png", 100, 80))
    session.history.do("Draw", session.document.adding(Region(SQUARE, "sofa")))
    session.save()
    assert (
        b"history" not in session.path.read_bytes() and b"author" not in session.path.read_bytes()
    )
    session.close()


def test_parts_of_a_region_are_changed_and_copies_are_drawn() -> None:
    page = Page(Path("plan.png"), 100, 80)
    drawn = Contribution(Deed.DRAWN, "Anna", START)
    region = Region(SQUARE, "sofa", history=(drawn,))
    first, second = split(region, [(5, -1), (5, 11)], page)
    edits = [Edit((region,), (first,)), Edit((), (second,), (1,))]
    parts = [edit.after[0] for edit in sign(edits, "Bert", START)]
    assert list(map(said, parts)) == 2 * [[("drawn", "Anna"), ("changed", "Bert")]]
    copies = [duplicate(region, (5, 5), page), *Clipboard.of([region], page).paste(page)]
    for copy in copies:
        (edit,) = sign([Edit((), (copy,), (0,))], "Bert", START)
        assert said(edit.after[0]) == [("drawn", "Bert")]


def test_a_region_that_is_taken_out_and_put_in_again_keeps_its_history() -> None:
    region = Region(SQUARE, "sofa", "r1", history=(Contribution(Deed.DRAWN, "Anna", START),))
    bare = Region(SQUARE, "bed", "r1")
    signed = sign([Edit((region,), (), (0,)), Edit((), (bare,), (0,))], "Bert", START)
    assert said(signed[1].after[0]) == [("drawn", "Anna"), ("changed", "Bert")]


def test_history_and_text_share_one_element_and_foreign_attributes_stay() -> None:
    truth = rich()
    history = (
        Contribution(Deed.DRAWN, "Anna & <Co>", START),
        Contribution(Deed.TAKEN, "Bert", START + timedelta(days=1), "Cleo"),
    )
    for region in truth.regions:
        regions = with_region(truth, region.id, history=history, text="café", comment="seen")
        content = save(truth, regions)
        again = by_id(page_xml.parse(content, PATH), region.id)
        assert again.history == history and again.text == "café"
        root = etree.fromstring(content)
        assert not root.xpath("//p:*[count(p:UserDefined) > 1]", namespaces=NAMESPACE)
        authors = root.xpath("//p:MetadataItem[@type='author']/@value", namespaces=NAMESPACE)
        assert authors == ["Anna & <Co>", "Bert"]
        without = page_xml.parse(content, PATH)
        bare = [each.with_history(()) for each in without.regions]
        assert b"spotlab.history" not in save(without, bare)


def test_a_new_file_is_valid_and_names_its_authors_once() -> None:
    page = Page(Path("plan.png"), 100, 80)
    history = (Contribution(Deed.DRAWN, "Anna", START),)
    truth = Truth(page, (Region(SQUARE, "sofa", "r1", text="a", history=history),))
    content = page_xml.serialise(truth, NOW)
    assert_valid(content)
    read = page_xml.parse(content, PATH)
    changed = replace(read, regions=(*read.regions, Region(SQUARE, "bed", "r2", history=history)))
    content = page_xml.serialise(changed, NOW)
    assert_valid(content)
    assert content.count(b'type="author"') == 1


@pytest.mark.parametrize("text", ["", "drawn", "drawn yesterday Anna", "eaten 2026-01-01 Anna"])
def test_what_is_no_contribution_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        Contribution.from_text(text)


SIGNED = Truth(
    Page(Path("plan.png"), 100, 80),
    (Region(SQUARE, "sofa", history=(Contribution(Deed.DRAWN, "Anna", START, "x"),)),),
)


@pytest.mark.parametrize("name", ["labelme", "voc"])
def test_an_export_says_that_other_formats_have_no_authors(name: str) -> None:
    _, lines = fit([SIGNED], known_formats()[name])
    assert "1 history of author and time was left out" in lines
    bare = replace(SIGNED, regions=(Region(SQUARE, "sofa"),))
    assert "history" not in "".join(fit([bare], known_formats()[name])[1])


def test_coco_keeps_who_drew(tmp_path: Path) -> None:
    coco = known_formats()["coco"]
    coco.write([SIGNED], tmp_path / "truth.json", silent)
    (read,) = coco.read_file(tmp_path / "truth.json")
    assert read.regions[0].history == SIGNED.regions[0].history
