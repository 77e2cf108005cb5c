"""Statements about methods, held against figures: the paper's own, and made-up ones."""

from __future__ import annotations

import pytest

from spotlab.lab.reproduce.symbols.symbol_published import (
    STATEMENTS,
    TABLE_2,
    TABLE_3,
    FigureComparison,
    Statement,
    all_above,
    check_statement,
    explain_failure,
    falling_order,
)

PRINTED = {**TABLE_2, **TABLE_3}


@pytest.mark.parametrize("statement", STATEMENTS, ids=lambda each: each.text)
def test_what_the_paper_says_holds_for_what_it_prints(statement: Statement) -> None:
    claim = check_statement(statement, PRINTED)
    assert claim is None or (claim.holds and claim.right == claim.total)


def test_most_statements_can_be_checked_in_the_printed_tables() -> None:
    assert sum(check_statement(each, PRINTED) is not None for each in STATEMENTS) >= 12


def test_an_order_holds_only_if_every_pair_does() -> None:
    order = Statement("b, d, c, a", "made up", falling_order("f", "bdca"))
    found = check_statement(order, {"f": {"a": 0.1, "b": 0.4, "c": 0.2, "d": 0.3}})
    assert found and found.holds and (found.right, found.total) == (6, 6)
    # a is above c: one of six pairs is wrong
    found = check_statement(order, {"f": {"a": 0.25, "b": 0.4, "c": 0.2, "d": 0.3}})
    assert found and found.holds is False and found.right == 5
    assert found.values == (("f", "a", 0.25), ("f", "b", 0.4), ("f", "c", 0.2), ("f", "d", 0.3))


def test_equal_figures_are_in_no_order() -> None:
    found = check_statement(
        Statement("", "", all_above("f", "a", "b")), {"f": {"a": 0.5, "b": 0.5}}
    )
    assert found and found.holds is False


def test_what_is_undefined_neither_holds_nor_fails() -> None:
    found = check_statement(
        Statement("", "", falling_order("f", "ab")), {"f": {"a": None, "b": 0.5}}
    )
    assert found and found.holds is None and found.right == 0
    assert check_statement(Statement("", "", falling_order("f", "ab")), {"f": {"b": 0.5}}) is None
    assert (
        check_statement(Statement("", "", falling_order("g", "ab")), {"f": {"a": 1.0, "b": 0.5}})
        is None
    )


def test_comparisons_take_numbers_and_factors() -> None:
    figures = {"p": {"a": 2.0}, "r": {"a": 2.5}}
    alike = (
        FigureComparison(("p", "a"), ("r", "a"), 1.5),
        FigureComparison(("r", "a"), ("p", "a"), 1.5),
    )
    for comparisons, holds in (
        (alike, True),
        ((FigureComparison(("p", "a"), ("r", "a"), 1.2),), False),
        ((FigureComparison(3.0, ("r", "a")),), True),
        ((FigureComparison(("p", "a"), 2.0),), False),
    ):
        found = check_statement(Statement("", "", comparisons), figures)
        assert found and found.holds is holds


def test_what_does_not_hold_is_explained_by_its_figures_and_by_what_differs() -> None:
    order = next(each for each in STATEMENTS if each.text == "F ranks the methods b, d, c, a")
    found = check_statement(order, {"f": {"a": 25.0, "b": 40.0, "c": 20.0, "d": 30.0}})
    assert found
    why = explain_failure(found)
    assert "20.00 and 25.00 here, 12.57 and 6.87 in the paper" in why and "does not publish" in why
    right = check_statement(order, PRINTED)
    assert right and explain_failure(right) == ""


@pytest.mark.parametrize("statement", STATEMENTS, ids=lambda each: each.text)
def test_every_statement_of_the_paper_has_causes_to_name(statement: Statement) -> None:
    """Whatever does not hold on other pages gets a reason, not only numbers."""
    wrong: dict[str, dict[str, float | None]] = {}
    for pair in statement.comparisons:
        for side, value in ((pair.less, 9.0), (pair.more, 0.001)):
            if isinstance(side, tuple):
                wrong.setdefault(side[0], {}).setdefault(side[1], value)
    claim = check_statement(statement, wrong)
    assert claim is not None
    if claim.holds is False and statement.text[:10] != "Generality":
        assert explain_failure(claim).rstrip(".").count(". ") >= 1
