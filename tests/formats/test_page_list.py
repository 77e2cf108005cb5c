"""Pages of the same name are told apart, and new ones get their place in the list."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from spotlab.formats.collection.folder import PageEntry, called_apart, with_new_pages


def entry(path: str, frame: int = 0, frames: int = 1, truth: str = "") -> PageEntry:
    image = Path("/scans") / path
    return PageEntry(image, frame, frames, Path(truth or image.with_suffix(".xml")), False)


def names_of(entries: list[PageEntry]) -> tuple[str, ...]:
    return tuple(entry.name for entry in called_apart(entries))


def test_names_that_differ_stay_as_they_are() -> None:
    assert names_of([entry("a.png"), entry("b.png")]) == ("a", "b")
    assert names_of([]) == ()


def test_the_ending_tells_two_files_of_a_folder_apart() -> None:
    assert names_of([entry("a.jpg"), entry("a.png"), entry("b.png")]) == ("a.jpg", "a.png", "b")


def test_folders_tell_files_of_the_same_name_apart() -> None:
    pages = [entry("house 1/plan.png"), entry("house 2/plan.png")]
    assert names_of(pages) == ("house 1/plan", "house 2/plan")
    deeper = [entry("x/one/plan.png"), entry("y/one/plan.png")]
    assert names_of(deeper) == ("x/one/plan", "y/one/plan")
    assert names_of([entry("plan.png"), entry("attic/plan.png")]) == ("plan", "attic/plan")


def test_both_together() -> None:
    pages = [entry("x/plan.png"), entry("x/plan.jpg"), entry("y/plan.png")]
    assert names_of(pages) == ("x/plan.png", "x/plan.jpg", "y/plan.png")


def test_pages_of_files_with_several() -> None:
    pages = [entry(f"{name}.tif", frame, 2) for name in ("a", "b/a") for frame in (0, 1)]
    assert names_of(pages) == ("a_p1", "a_p2", "b/a_p1", "b/a_p2")


def test_one_image_with_two_truth_files() -> None:
    one, two = names_of([entry("a.png", truth="/t/1.xml"), entry("a.png", truth="/t/2.xml")])
    assert one != two


PLACES = st.tuples(st.sampled_from("xy"), st.sampled_from("ab"), st.sampled_from(("png", "jpg")))


@given(st.lists(PLACES, unique=True))
def test_no_two_titles_are_the_same(places: list[tuple[str, str, str]]) -> None:
    titles = names_of([entry(f"{folder}/{stem}.{kind}") for folder, stem, kind in places])
    assert len(set(titles)) == len(places)


def test_a_new_page_comes_behind_its_predecessor() -> None:
    known = [entry("a.png"), entry("b.tif", 0, 2), entry("b.tif", 1, 2), entry("d.png")]
    listed = [entry(f"{name}.png") for name in ("0", "a")] + [
        entry("b.tif", 0, 1),
        *(entry(f"{name}.png") for name in ("c", "d", "e")),
    ]
    merged = with_new_pages(known, listed)
    assert [page.image.name for page in merged] == [
        "0.png", "a.png", "b.tif", "b.tif", "c.png", "d.png", "e.png",
    ]  # fmt: skip


@given(st.sets(st.integers(0, 9)), st.sets(st.integers(0, 9)))
def test_nothing_is_lost_and_nothing_is_listed_twice(first: set[int], second: set[int]) -> None:
    known = [entry(f"{number}.png") for number in sorted(first)]
    listed = [entry(f"{number}.png") for number in sorted(second)]
    merged = with_new_pages(known, listed)
    assert len(merged) == len(set(merged)) and set(merged) == {*known, *listed}
    assert [page for page in merged if page in set(known)] == known
