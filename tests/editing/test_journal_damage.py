"""Damaged journals: all that can be read is taken, the rest is counted, the file is kept."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from spotlab.editing.journal import journal_path
from spotlab.editing.session import EditingSession
from spotlab.formats.truth import page_xml
from spotlab.model import Page, Region

pytestmark = pytest.mark.usefixtures("patient")

STEPS = 10


def labels(session: EditingSession) -> list[str]:
    return [region.label for region in session.document]


def opened(folder: Path) -> EditingSession:
    return EditingSession.open(folder / "plan.xml", Page(folder / "plan.png", 100, 80))


def draw(session: EditingSession, label: str) -> None:
    region = Region(((0, 0), (10, 0), (10, 10)), label)
    session.history.do(f"Draw {label}", session.document.adding(region))


def left_by_a_kill(folder: Path, steps: int = STEPS) -> bytes:
    """What a program leaves that draws so many regions, all but the first after a save."""
    session = opened(folder)
    draw(session, "n1")
    session.save()
    for number in range(2, steps + 2):
        draw(session, f"n{number}")
    session.close()
    return journal_path(folder / "plan.xml").read_bytes()


def expected(*missing: int) -> list[str]:
    return [f"n{number}" for number in range(1, STEPS + 2) if number not in missing]


def start_on(folder: Path, journal: bytes) -> EditingSession:
    journal_path(folder / "plan.xml").write_bytes(journal)
    return opened(folder)


def flip(content: bytes, at: int, by: int = 1) -> bytes:
    return content[:at] + bytes([content[at] ^ by]) + content[at + 1 :]


def in_line(number: int, change: Callable[[bytes], bytes]) -> Callable[[bytes], bytes]:
    def changed(content: bytes) -> bytes:
        lines = content.split(b"\n")
        lines[number] = change(lines[number])
        return b"\n".join(lines)

    return changed


def deep(_: bytes) -> bytes:
    return b'{"do":' + b"[" * 100_000 + b"]" * 100_000 + b"}"


def zeroed(content: bytes) -> bytes:
    block = min(4096, len(content.split(b"\n")[0]) + 300)  # the header and the first steps
    return b"\0" * block + content[block:]


DAMAGE: dict[str, tuple[Callable[[bytes], bytes], tuple[int, ...]]] = {
    "a byte of the header": (in_line(0, lambda line: flip(line, 40)), ()),
    "no header": (in_line(0, lambda _: b""), ()),
    "a newer version": (lambda b: b.replace(b'"spotlab":1', b'"spotlab":2'), ()),
    "an unknown field": (lambda b: b.replace(b'"label"', b'"colour":1,"label"'), ()),
    "an empty line": (lambda b: b.replace(b"\n", b"\n\n", 1), ()),
    "line ends of Windows": (lambda b: b.replace(b"\n", b"\r\n"), ()),
    "a byte order mark": (lambda b: b"\xef\xbb\xbf" + b, ()),
    "the name of a checksum": (in_line(3, lambda line: line.replace(b'"sum"', b'"rum"')), ()),
    "a byte of step 3": (in_line(3, lambda line: flip(line, 60)), (4,)),
    "a coordinate of step 3": (in_line(3, lambda line: line.replace(b"10.0", b"12.0", 1)), (4,)),
    "a line that is gone": (in_line(3, lambda _: b""), (4,)),
    "nesting": (in_line(3, deep), (4,)),
    "zeros at the end": (lambda b: b + b"\0" * 512, ()),
    "a torn line in the middle": (in_line(5, lambda line: line[:50]), (6,)),
    "two lines in one": (lambda b: b.replace(b"}\n{", b"}{", 5).replace(b"}{", b"}\n{", 4), (5, 6)),
}


@pytest.mark.parametrize("what", DAMAGE)
def test_what_can_be_read_is_taken_and_the_file_is_kept(tmp_path: Path, what: str) -> None:
    damage, missing = DAMAGE[what]
    damaged = damage(left_by_a_kill(tmp_path))
    session = start_on(tmp_path, damaged)
    assert labels(session) == expected(*missing)
    assert f"Recovered {STEPS - len(missing)} steps" in session.recovered
    unfit = [
        int(n) for n in re.findall(r"(\d+) steps? (?:could not be read|did not)", session.recovered)
    ]
    assert sum(unfit) == len(missing)
    kept = tmp_path / "plan.xml.journal.damaged"
    assert kept.read_bytes() == damaged
    assert str(kept) in session.recovered
    draw(session, "after")
    session.close()  # killed again: now nothing is damaged any more
    again = opened(tmp_path)
    assert labels(again) == [*expected(*missing), "after"]
    assert "damaged" not in again.recovered
    again.save()
    assert not journal_path(again.path).exists()
    while again.history.undo():
        pass
    assert labels(again) == ["n1"]
    again.close()


def test_a_block_of_zeros_over_header_and_first_steps(tmp_path: Path) -> None:
    damaged = zeroed(left_by_a_kill(tmp_path))
    session = start_on(tmp_path, damaged)
    lost = STEPS - (len(session.document) - 1)
    assert 1 <= lost <= 3
    assert f"{lost} step" in session.recovered and "could not be read" in session.recovered
    assert (tmp_path / "plan.xml.journal.damaged").read_bytes() == damaged
    session.close()


def test_nothing_but_zeros(tmp_path: Path) -> None:
    damaged = b"\0" * len(left_by_a_kill(tmp_path))
    session = start_on(tmp_path, damaged)
    assert labels(session) == ["n1"]
    assert "is damaged: nothing could be recovered" in session.recovered
    assert (tmp_path / "plan.xml.journal.damaged").read_bytes() == damaged
    session.close()


def test_damaged_journals_are_numbered(tmp_path: Path) -> None:
    journal = left_by_a_kill(tmp_path)
    for at in (100, 101, 101, 102):
        start_on(tmp_path, flip(journal, at)).close()
    kept = sorted(path.name for path in tmp_path.glob("*.damaged*"))
    assert kept == [f"plan.xml.journal.damaged{n}" for n in ("", "-2", "-3")]


def test_a_damaged_save_line_is_made_good_by_comparing(tmp_path: Path) -> None:
    session = opened(tmp_path)
    for number in range(1, 4):
        draw(session, f"n{number}")
    save = session.begin_save()
    draw(session, "n4")
    save.write()
    draw(session, "n5")
    session.close()
    journal = journal_path(tmp_path / "plan.xml").read_bytes()
    assert journal.count(b'"saving"') == 1
    again = start_on(tmp_path, journal.replace(b'"saving":"', b'"saving":"0'))
    assert labels(again) == ["n1", "n2", "n3", "n4", "n5"]
    assert "Recovered 2 steps" in again.recovered
    assert not list(tmp_path.glob("*.recovered*"))
    again.close()


def test_a_step_that_hangs_on_a_lost_one_is_left_out_and_counted(tmp_path: Path) -> None:
    session = opened(tmp_path)
    draw(session, "a")
    first = next(iter(session.document))
    for label in ("b", "c"):
        changed = replace(session.document[first.id], label=label)
        session.history.do(f"Label {label}", session.document.replacing(changed))
    session.history.undo()
    draw(session, "d")
    session.close()
    journal = journal_path(session.path).read_bytes()
    again = start_on(tmp_path, in_line(2, lambda line: flip(line, 60))(journal))
    assert labels(again) == ["a", "d"]  # c and its undoing hang on b
    assert "Recovered 2 steps" in again.recovered
    assert "1 step could not be read" in again.recovered
    assert "2 steps did not match the page and were left out" in again.recovered
    again.history.undo()
    again.history.undo()
    assert labels(again) == []
    again.close()


def test_journals_of_version_0_5_are_taken_over(tmp_path: Path) -> None:
    """They have neither checksums nor numbers, nor signatures."""
    new = left_by_a_kill(tmp_path)
    lines = [json.loads(line) for line in new.splitlines()]
    for line in lines:
        del line["sum"], line["signed"]
        line.pop("n", None)
        line.pop("lease", None)
    old = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    for journal, missing, said in (
        (old, (), f"Recovered {STEPS} steps on plan that had not been saved"),
        (in_line(4, lambda line: line[:-3])(old), (5,), "1 step could not be read"),
    ):
        session = start_on(tmp_path, journal)
        assert labels(session) == ["n1"], "nobody has signed it"
        assert session.left is not None
        assert said in session.take(session.left)
        assert labels(session) == expected(*missing)
        session.close()
        session = opened(tmp_path)
        assert labels(session) == expected(*missing), "written anew"
        session.discard()
        session.close()


def test_a_folder_in_the_way_is_told_in_words(tmp_path: Path) -> None:
    (tmp_path / "plan.xml.journal").mkdir()
    session = opened(tmp_path)
    assert session.recovered == f"{tmp_path}/plan.xml.journal cannot be read: it is a folder"
    draw(session, "sofa")
    assert session.trouble == "", "the other place takes the steps"
    session.close()
    again = opened(tmp_path)
    assert labels(again) == ["sofa"]
    again.save()
    assert len(page_xml.read(again.path).regions) == 1
    again.close()


@pytest.fixture
def whole() -> tuple[bytes, bytes]:
    with TemporaryDirectory() as name:
        journal = left_by_a_kill(Path(name))
        return journal, (Path(name) / "plan.xml").read_bytes()


@pytest.mark.slow
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_byte_anywhere(whole: tuple[bytes, bytes], data: st.DataObject) -> None:
    """A byte that is flipped, removed or added, or an end that is missing."""
    journal, truth = whole
    at = data.draw(st.integers(0, len(journal) - 1))
    how = data.draw(st.sampled_from(["flip", "remove", "add", "cut"]))
    byte = data.draw(st.integers(1, 255))
    damaged = {
        "flip": flip(journal, at, byte),
        "remove": journal[:at] + journal[at + 1 :],
        "add": journal[:at] + bytes([byte]) + journal[at:],
        "cut": journal[:at],
    }[how]
    line = journal[:at].count(b"\n")  # the header is line 0
    ends_line = journal[at : at + 1] == b"\n"
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "plan.xml").write_bytes(truth)
        session = start_on(folder, damaged)
        found = labels(session)
        said = session.recovered
        files = {path.name: path.read_bytes() for path in folder.iterdir()}
        session.close()
    sure = set(range(1, STEPS + 1))
    if how == "cut":
        sure = set(range(1, line))
    else:
        sure -= {line, line + 1} if ends_line else {line}
    labels_sure = {f"n{step + 1}" for step in sure}
    assert labels_sure | {"n1"} <= set(found) <= set(expected())
    assert found == sorted(found, key=lambda label: int(label[1:]))
    lost = STEPS + 1 - len(found)
    if how != "cut" and lost and not (how == "remove" and at == len(journal) - 1):
        number = re.search(r"(\d+) steps? could not be read", said)
        assert number and int(number[1]) == lost
        assert files["plan.xml.journal.damaged"] == damaged
    if how == "cut" and 0 < at < journal.index(b"\n"):
        assert files["plan.xml.journal.damaged"] == damaged


def act(session: EditingSession, what: str, at: int) -> None:
    """A step, or another one where this one is not possible."""
    document, history = session.document, session.history
    regions = list(document)
    if what == "undo":
        history.undo()
    elif what == "redo":
        history.redo()
    elif what == "draw" or not regions:
        region = Region(((0, 0), (10, 0), (10, 10)), f"n{at}")
        history.do("Draw", document.adding(region))
    elif what == "delete":
        history.do("Delete", document.removing([regions[at % len(regions)].id]))
    else:
        region = regions[at % len(regions)]
        points = tuple((x + 1, y) for x, y in region.points)
        moved = document.replacing(replace(region, points=points))
        history.do("Move", moved, merge=what == "nudge")


@pytest.mark.slow
@settings(max_examples=100)
@given(
    steps=st.lists(
        st.tuples(
            st.sampled_from(["draw", "delete", "move", "nudge", "undo", "redo"]), st.integers(0, 99)
        ),
        min_size=2,
        max_size=25,
    ),
    hits=st.lists(st.floats(0, 0.999), max_size=3),
)
def test_any_steps_with_any_damage_can_be_undone_and_saved(
    steps: list[tuple[str, int]], hits: list[float]
) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        session = opened(folder)
        draw(session, "first")
        session.save()
        for what, at in steps:
            act(session, what, at)
        before = tuple(session.document)
        session.close()
        path = journal_path(folder / "plan.xml")
        if not path.exists():
            return
        journal = path.read_bytes()
        for hit in hits:
            journal = flip(journal, int(hit * len(journal)))
        session = start_on(folder, journal)
        found = tuple(session.document)
        assert found == before or hits
        undone = 0
        while session.history.undo():
            undone += 1
        assert labels(session) == ["first"]
        for _ in range(undone):
            session.history.redo()
        assert tuple(session.document) == found
        session.close()
        session = opened(folder)
        assert tuple(session.document) == found, "all this is in the journal as well"
        session.save()
        assert page_xml.read(session.path).regions == found
        session.close()
