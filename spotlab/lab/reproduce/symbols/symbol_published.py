"""Figures and statements of Rusiñol & Lladós on their study (§5), to be checked here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from spotlab.representation import short_repr

Value = tuple[str, str] | float
"""A figure of a method, by both names, or a number."""

Figures = Mapping[str, Mapping[str, float | None]]
"""By figure and by method; None where it is undefined."""


@dataclass(frozen=True)
class FigureComparison:
    """One value, times a factor, is above another."""

    more: Value
    less: Value
    factor: float = 1.0


@dataclass(frozen=True)
class Statement:
    """Statement in the paper about methods.

    Attributes
    ----------
    text : str
        For a person.
    where : str
        Who says it: the part of the paper.
    comparisons : tuple of FigureComparison
        It holds where all of them do.
    """

    text: str
    where: str
    comparisons: tuple[FigureComparison, ...]

    __repr__ = short_repr


@dataclass(frozen=True)
class CheckedStatement:
    """A statement that was checked against figures.

    Attributes
    ----------
    statement : Statement
    holds : bool or None
        None where a figure is undefined.
    right, total : int
        Numbers of its comparisons that hold, and of all.
    values : tuple of (str, str, float or None)
        The figures that take part, with their names and methods.
    """

    statement: Statement
    holds: bool | None
    right: int
    total: int
    values: tuple[tuple[str, str, float | None], ...]

    __repr__ = short_repr


def falling_order(figure: str, methods: Sequence[str]) -> tuple[FigureComparison, ...]:
    """Compare methods in an order in which a figure falls from each to all after it.

    Examples
    --------
    >>> falling_order("f", "ba")
    (FigureComparison(more=('f', 'b'), less=('f', 'a'), factor=1.0),)
    """
    pairs = combinations(methods, 2)
    return tuple(FigureComparison((figure, first), (figure, second)) for first, second in pairs)


def all_above(
    figure: str, higher: Iterable[str], lower: Iterable[str]
) -> tuple[FigureComparison, ...]:
    """Compare methods: the figure of each higher one is above that of each lower one."""
    pairs = product(higher, lower)
    return tuple(FigureComparison((figure, first), (figure, second)) for first, second in pairs)


def check_statement(statement: Statement, figures: Figures) -> CheckedStatement | None:
    """Check whether a statement holds; None where there are no figures of its methods.

    Examples
    --------
    >>> statement = Statement("b is better", "here", falling_order("f", "ba"))
    >>> check_statement(statement, {"f": {"a": 0.2, "b": 0.3}}).holds
    True
    >>> check_statement(statement, {"f": {"a": 0.3, "b": 0.3}}).holds
    False
    >>> check_statement(statement, {"f": {"a": 0.3}}) is None
    True
    """
    named = _named(statement)
    if any(method not in figures.get(figure, {}) for figure, method in named):
        return None
    values = tuple((figure, method, figures[figure][method]) for figure, method in named)
    total = len(statement.comparisons)
    if any(value is None for _, _, value in values):
        return CheckedStatement(statement, None, 0, total, values)
    right = sum(
        comparison.factor * _of(comparison.more, figures) > _of(comparison.less, figures)
        for comparison in statement.comparisons
    )
    return CheckedStatement(statement, right == total, right, total, values)


def _named(statement: Statement) -> list[tuple[str, str]]:
    sides = [side for pair in statement.comparisons for side in (pair.more, pair.less)]
    # by figure, then by method, each once
    return sorted({side for side in sides if isinstance(side, tuple)})


def _of(value: Value, figures: Figures) -> float:
    if isinstance(value, tuple):
        figure = figures[value[0]][value[1]]
        assert figure is not None  # checked before
        return figure
    return value


METHODS = ("a", "b", "c", "d")
OWN = "e"  # the method that is spotlab's

# §5.3
COLLECTION = {
    "pages": 42.0,
    "width": 3215.0,
    "height": 2064.0,
    "classes": 38.0,
    "symbols": 344.0,
    "fewest": 0.0,
    "most": 28.0,
}

# Table 2; generality is that of the collection, the same for all methods. Fall-out and area recall
# are only drawn (Fig. 7).
TABLE_2: Mapping[str, Mapping[str, float]] = {
    "average_precision_hits": {"a": 20.08, "b": 39.77, "c": 23.69, "d": 41.99},
    "f": {"a": 6.87, "b": 23.34, "c": 12.57, "d": 21.45},
    "recognition_rate": {"a": 93.62, "b": 91.3, "c": 55.62, "d": 73.33},
    "false_positives": {"a": 153.42, "b": 76.76, "c": 63.89, "d": 58.76},
    "generality": dict.fromkeys(METHODS, 0.16),
}

# Table 3, in percent
TABLE_3: Mapping[str, Mapping[str, float]] = {
    "recall_mean": {"a": 6.06, "b": 2.22, "c": 1.02, "d": 1.96},
    "recall_maximum": {"a": 11.37, "b": 3.38, "c": 1.6, "d": 2.66},
    "precision_mean": {"a": 2.32, "b": 1.74, "c": 2.18, "d": 2.46},
    "precision_maximum": {"a": 4.2, "b": 2.01, "c": 2.64, "d": 3.44},
    "f_mean": {"a": 2.2, "b": 0.98, "c": 1.21, "d": 0.85},
    "f_maximum": {"a": 4.09, "b": 1.84, "c": 2.17, "d": 1.09},
}

ALIKE = 1.5  # of two deviations "equally affected", the larger is at most so many times the other
SLIGHTLY = 5.0  # percentage points between the recognition rates of growing parts
EARLY = "precision_early"  # P_A(r) at r = .05
BEST_F = "best_f"  # the highest point of the mean F(r) curve
OTHERS = "recognition_others"  # the recognition rate of symbols that are not models themselves


def _alike(method: str) -> tuple[FigureComparison, ...]:
    recall, precision = ("recall_mean", method), ("precision_mean", method)
    return (FigureComparison(recall, precision, ALIKE), FigureComparison(precision, recall, ALIKE))


STATEMENTS = (
    Statement(
        "The F of b and d is above that of a and c", "Fig. 8a, Table 2", all_above("f", "bd", "ac")
    ),
    Statement("F ranks the methods b, d, c, a", "Table 2", falling_order("f", "bdca")),
    Statement(
        "AveP ranks the methods d, b, c, a",
        "Table 2",
        falling_order("average_precision_hits", "dbca"),
    ),
    Statement(
        "Recognised symbols rank the methods a, b, d, c",
        "Table 2, §5.4",
        falling_order("recognition_rate", "abdc"),
    ),
    Statement(
        "False positives rank the methods d, c, b, a, the fewest first",
        "Table 2, §5.4",
        falling_order("false_positives", "abcd"),
    ),
    Statement(
        "Fall-out ranks the methods as false positives do",
        "Fig. 7b",
        falling_order("fall_out", "abcd"),
    ),
    Statement("Area recall is best for a", "Fig. 7a", all_above("area_recall", "a", "bcd")),
    Statement("Area recall is worst for c", "Fig. 7a", all_above("area_recall", "abd", "c")),
    Statement("Precision begins lowest for a", "Fig. 7a", all_above(EARLY, "bcd", "a")),
    Statement(
        "Generality is extremely low: below 1 %",
        "Table 2",
        tuple(FigureComparison(1.0, ("generality", method)) for method in METHODS),
    ),
    Statement(
        "F of b and d varies less with the number of classes, on average",
        "Table 3",
        all_above("f_mean", "ac", "bd"),
    ),
    Statement(
        "F of b and d varies less with the number of classes, at most",
        "Table 3",
        all_above("f_maximum", "ac", "bd"),
    ),
    Statement(
        "More classes change the recall of a most",
        "Fig. 9b, Table 3",
        all_above("recall_mean", "a", "bcd"),
    ),
    Statement(
        "More classes change the recall of a more than its precision",
        "Fig. 9b, Table 3",
        (FigureComparison(("recall_mean", "a"), ("precision_mean", "a")),),
    ),
    Statement(
        "More classes change the precision of c more than its recall",
        "Fig. 9b, Table 3",
        (FigureComparison(("precision_mean", "c"), ("recall_mean", "c")),),
    ),
    Statement(
        f"More classes change recall and precision of b and d alike, within a factor of {ALIKE:g}",
        "Fig. 9b, Table 3",
        (*_alike("b"), *_alike("d")),
    ),
    Statement(
        f"Recognition rates vary slightly with the collection's size: by less than {SLIGHTLY:g}",
        "Fig. 10a",
        tuple(FigureComparison(SLIGHTLY, ("recognition_range", method)) for method in METHODS),
    ),
    Statement(
        "False positives grow with the collection",
        "Fig. 10b",
        tuple(FigureComparison(("false_positive_growth", method), 1.0) for method in METHODS),
    ),
    Statement(
        "False positives grow faster than the number of pages",
        "Fig. 10b",
        tuple(FigureComparison(("false_positive_excess", method), 1.0) for method in METHODS),
    ),
)

# of the method that the paper does not have
OWN_STATEMENTS = (
    Statement("It recognises most symbols", "", all_above("recognition_rate", OWN, METHODS)),
    Statement(
        "It recognises most of those that are no models", "", all_above(OTHERS, OWN, METHODS)
    ),
    Statement("Its area recall is best", "", all_above("area_recall", OWN, METHODS)),
    Statement("Its best F(r) is highest", "", all_above(BEST_F, OWN, METHODS)),
    Statement("Its AP at IoU is highest", "", all_above("iou_precision", OWN, METHODS)),
)


TITLES = {
    "f": "F",
    "average_precision_hits": "AveP",
    "recognition_rate": "the recognition rate",
    "false_positives": "the number of false positives",
    "fall_out": "fall-out",
    "area_recall": "area recall",
    "generality": "generality",
    "iou_precision": "AP at IoU",
    EARLY: "precision at recall .05",
    BEST_F: "the highest point of F(r)",
    OTHERS: "the recognition rate without the models",
    "recognition_range": "the range of the recognition rate",
    "false_positive_growth": "the growth of false positives",
    "false_positive_excess": "the growth of false positives per page",
    **{
        f"{figure}_{which}": f"the {much} change of {figure if figure != 'f' else 'F'}"
        for figure in ("recall", "precision", "f")
        for which, much in (("mean", "mean"), ("maximum", "largest"))
    },
}
RADII = (
    "The paper does not publish how near two contours' descriptors have to be for the contours to "
    "count as the same. Here a, b, c and d accept 95, 92, 61 and 84 % of those that are the same, "
    "and 66, 28, 7 and 11 of some 600 others on a page: this decides how much each method finds, "
    "and how much of it is wrong."
)
CLEAN = (
    "The pages are other plans than the paper's: drawn, with gaps and speckle, and cropped models "
    "are drawn as their symbols are."
)
CLASSES = (
    "A change is that between random draws of so many classes. The 38 classes are others than the "
    "paper's, and which of them look alike decides how much changes."
)
PARTS = "Parts of a collection are other pages here, with other numbers of symbols on each."
CAUSES: Mapping[str, tuple[str, ...]] = {
    "f": (RADII,),
    "average_precision_hits": (RADII,),
    EARLY: (RADII,),
    "recognition_rate": (RADII, CLEAN),
    "area_recall": (RADII, CLEAN),
    "false_positives": (RADII,),
    "fall_out": (RADII,),
    **dict.fromkeys(TABLE_3, (CLASSES,)),
    "recognition_range": (PARTS,),
    "false_positive_growth": (PARTS,),
    "false_positive_excess": (PARTS,),
}


def explain_failure(claim: CheckedStatement) -> str:
    """Tell where a statement fails, by how much, and what in data or method differs.

    Parameters
    ----------
    claim : CheckedStatement
        A statement that was checked.

    Returns
    -------
    str
        Empty where it holds or is undefined.

    Examples
    --------
    >>> statement = Statement("b is better", "here", falling_order("f", "ba"))
    >>> claim = check_statement(statement, {"f": {"a": 30.0, "b": 20.0}})
    >>> explain_failure(claim).partition(". ")[0]
    'F of b is not above that of a: 20.00 and 30.00 here, 23.34 and 6.87 in the paper'
    """
    if claim.holds is not False:
        return ""
    here: dict[str, dict[str, float | None]] = {}
    for figure, method, value in claim.values:
        here.setdefault(figure, {})[method] = value
    printed = {**TABLE_2, **TABLE_3}
    failing = [
        pair
        for pair in claim.statement.comparisons
        if not pair.factor * _of(pair.more, here) > _of(pair.less, here)
    ]
    sentences = [_failing(pair, here, printed) for pair in failing]
    sides = [side for pair in failing for side in (pair.more, pair.less)]
    figures = {side[0] for side in sides if isinstance(side, tuple)}
    causes = dict.fromkeys(cause for name in sorted(figures) for cause in CAUSES.get(name, ()))
    return " ".join((*sentences, *causes))


def _failing(pair: FigureComparison, here: Figures, printed: Figures) -> str:
    more, less = pair.more, pair.less
    what, than = ("below", more) if isinstance(more, float) else ("above", less)
    sides = [side for side in (more, less) if isinstance(side, tuple)]
    said = [f"{TITLES[figure]} of {method}" for figure, method in sides]
    factor = "" if pair.factor == 1 else f"{pair.factor:g} times "
    if isinstance(than, float):
        beside = f"{than:g}"
    elif sides[0][0] == sides[1][0]:
        beside = f"that of {sides[1][1]}"
    else:
        beside = said[1]
    text = f"{factor}{said[0]} is not {what} {beside}: {_values(sides, here)} here"
    if all(method in printed.get(figure, {}) for figure, method in sides):
        text += f", {_values(sides, printed)} in the paper"
    return f"{text[0].upper()}{text[1:]}."


def _values(sides: Iterable[Value], figures: Figures) -> str:
    values = [_of(side, figures) for side in sides]
    return " and ".join(f"{each:.2f}" if abs(each) >= 10 else f"{each:.3g}" for each in values)
