"""Category trees and what subjects' judgements make of them: Fig. 1 of Santini, and odd trees."""

from __future__ import annotations

import numpy as np
import pytest

from spotlab.uncertain_truth.judgements import (
    CategoryTree,
    Judgements,
    direct_shares,
    expected_size,
    find_flaws,
    relevance,
)

FIGURE = [
    ("people", "all"), ("scenery", "all"),
    ("single", "people"), ("group", "people"), ("crowd", "people"),
    ("city", "scenery"), ("countryside", "scenery"),
]  # fmt: skip
SAID = ("people", "people", "crowd", "city", "city")


def figure_tree() -> CategoryTree:
    return CategoryTree.of(FIGURE)


def judged(*answers: tuple[str, ...]) -> Judgements:
    """Each item's categories, one a subject."""
    rows = [
        (f"S{subject}", f"item {item}", category)
        for item, said in enumerate(answers)
        for subject, category in enumerate(said)
    ]
    return Judgements.of(figure_tree(), rows)


def test_figure_1() -> None:
    found = judged(SAID)
    shares = dict(zip(found.tree.categories, relevance(found)[0].tolist(), strict=True))
    assert shares == {
        "all": 1.0, "people": 0.6, "scenery": 0.4,
        "single": 0.0, "group": 0.0, "crowd": 0.2, "city": 0.4, "countryside": 0.0,
    }  # fmt: skip
    direct = dict(zip(found.tree.categories, direct_shares(found)[0].tolist(), strict=True))
    assert {name: share for name, share in direct.items() if share} == {
        "people": 0.4, "crowd": 0.2, "city": 0.4,
    }  # fmt: skip


def test_sizes_are_sums_over_items() -> None:
    found = judged(SAID, ("crowd", "crowd", "city"), ("countryside",))
    size = dict(zip(found.tree.categories, expected_size(relevance(found)), strict=True))
    assert size["all"] == 3
    assert size["people"] == pytest.approx(0.6 + 2 / 3)
    assert size["crowd"] == pytest.approx(0.2 + 2 / 3)
    assert size["scenery"] == pytest.approx(0.4 + 1 / 3 + 1)
    assert size["single"] == 0


def test_an_item_that_nobody_judged_is_undefined_and_no_part_of_sizes() -> None:
    tree = figure_tree()
    one, none = np.array([0]), np.zeros(0, np.int64)
    found = Judgements(
        tree, ("seen", "not seen"), ("Ann",), one, one, np.array([tree.number["city"]])
    )
    probability = relevance(found)
    assert probability[0, tree.number["scenery"]] == 1
    assert np.isnan(probability[1]).all()
    assert np.isnan(direct_shares(found)[1]).all()
    assert expected_size(probability)[0] == 1
    nobody = Judgements(tree, ("a",), (), none, none, none)
    assert expected_size(relevance(nobody)).tolist() == [0] * len(tree)


def test_the_root_has_one_for_thirds_too() -> None:
    found = judged(("single", "group", "crowd") * 7, ("single", "city", "countryside"))
    assert (relevance(found)[:, 0] == 1).all()


def test_a_random_tree_agrees_with_counting_each_path() -> None:
    random = np.random.default_rng(5)
    names = [f"c{at}" for at in range(40)]
    pairs = [(names[at], names[random.integers(at)]) for at in range(1, 40)]
    above = dict(pairs)
    random.shuffle(pairs)
    rows = [(f"s{s}", f"i{i}", names[random.integers(40)]) for s in range(7) for i in range(30)]
    found = Judgements.of(CategoryTree.of(pairs), rows)
    expected = np.zeros((30, 40))
    for _, item, category in rows:
        at: str | None = category
        while at is not None:
            expected[found.number[item], found.tree.number[at]] += 1 / 7
            at = above.get(at)
    np.testing.assert_allclose(relevance(found), expected, atol=1e-14)


def test_parents_come_first_and_the_root_may_be_written_or_not() -> None:
    for pairs in (FIGURE[::-1], [*FIGURE, ("all", "")], [("all", ""), *FIGURE]):
        tree = CategoryTree.of(pairs)
        assert tree.categories[0] == "all"
        assert set(tree.categories) == {"all", *dict(FIGURE)}
        assert (tree.parent[1:] < np.arange(1, len(tree))).all()
        parents = {tree.categories[at]: tree.categories[tree.parent[at]] for at in range(1, 8)}
        assert parents == dict(FIGURE)
    assert CategoryTree.of([("alone", "")]).categories == ("alone",)


def test_closeness_goes_along_the_way_to_the_root() -> None:
    tree = figure_tree()

    def near(one: str) -> dict[str, float]:
        return dict(zip(tree.categories, tree.closeness(tree.number[one]).tolist(), strict=True))

    assert near("all") == dict.fromkeys(tree.categories, 1.0)
    assert near("people") == {
        name: float(name in ("people", "single", "group", "crowd")) for name in tree.categories
    }
    assert (near("crowd")["people"], near("crowd")["single"], near("crowd")["city"]) == (
        0.5,
        0.5,
        0,
    )
    chain = CategoryTree.of([("P", "G"), ("R", "P"), ("X", "R")])
    assert chain.closeness(chain.number["R"]).tolist() == [0, 0.5, 1, 1]


@pytest.mark.parametrize(
    ("pairs", "flaws"),
    [
        ([("a", "b"), ("b", "c"), ("c", "a")], {0: "circle: a, b, c, a", 1: "circle", 2: "circle"}),
        ([("all", ""), ("a", "a")], {1: "circle: a, a"}),
        ([("x", "a"), ("a", "b"), ("b", "a"), ("all", "")], {1: "circle", 2: "circle"}),
        ([("all", ""), ("every", ""), ("a", "all")], {1: "'all' is the root already"}),
        ([("a", "all"), ("b", "every")], {1: "'every' has no parent, but 'all' is the root"}),
        ([("all", ""), ("a", "al")], {1: "'al' is no category"}),
        ([("a", "all"), ("a", "b"), ("b", "all")], {1: "has the parent 'all' already"}),
        ([("a", "all"), ("a", "all")], {1: "'a' is there already"}),
    ],
)
def test_what_is_no_tree(pairs: list[tuple[str, str]], flaws: dict[int, str]) -> None:
    found = {flaw.pair: flaw.problem for flaw in find_flaws(pairs)}
    assert set(found) == set(flaws)
    for at, words in flaws.items():
        assert words in found[at]
    with pytest.raises(ValueError, match=r"circle|root|category"):
        CategoryTree.of(pairs)


def test_no_tree_of_nothing_and_no_unknown_or_repeated_judgement() -> None:
    with pytest.raises(ValueError, match="no category"):
        CategoryTree.of([])
    with pytest.raises(ValueError, match="'sea' is not in the tree"):
        Judgements.of(figure_tree(), [("Ann", "q", "sea")])
    with pytest.raises(ValueError, match="Ann judges q twice"):
        Judgements.of(
            figure_tree(), [("Ann", "q", "city"), ("Bob", "q", "city"), ("Ann", "q", "crowd")]
        )
    with pytest.raises(ValueError, match="not there"):
        one = np.array([0])
        Judgements(figure_tree(), ("q",), ("Ann",), one, one, np.array([8]))
