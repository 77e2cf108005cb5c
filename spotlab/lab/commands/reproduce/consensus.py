"""`spotlab reproduce consensus`: the tables of Lamiroy & Sun, and Santini's example."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from spotlab.cli.console import check_target, json_option, progress_bar, tell
from spotlab.cli.options import EXISTING_FOLDER
from spotlab.report.figure_text import UNDEFINED, aligned

if TYPE_CHECKING:
    from spotlab.formats.votes.format import Method, VoteTable
    from spotlab.progress import Progress
    from spotlab.studies.systems.comparison import SystemComparison

TABLE_2 = ("0.8", "0.8", "0.4", "0.4", "0.4", "0.4", "0.2")  # P(δ) of δ1 to δ7
TABLE_3 = {  # ΣP·S, Pr and Rc
    "⊤": ("3.4", "0.49", "1"),
    "S1": ("2.4", "0.6", "0.71"),
    "S2": ("2", "0.67", "0.59"),
    "S3": ("2", "0.67", "0.59"),
}
TABLES_4_TO_6 = {  # precision and recall of Otsu, Sauvola and Wolf, as printed
    "Table 4, with truth": (("0.6223", "0.5915"), ("0.7715", "0.7281"), ("0.7533", "0.7230")),
    "Table 5, Method I": (("0.6327", "0.5153"), ("0.6757", "0.5660"), ("0.6722", "0.5662")),
    "Table 6, Method II": (("0.6035", "0.6550"), ("0.6450", "0.6988"), ("0.6416", "0.6957")),
}
PIPELINES = ("Otsu", "Sauvola", "Wolf")
FIG_1 = {"people": 2, "crowd": 1, "city": 2}  # subjects that assigned the image to a category
TREE = {
    "people": "all", "scenery": "all", "single": "people", "group": "people", "crowd": "people",
    "city": "scenery", "countryside": "scenery",
}  # fmt: skip
SANTINI = {
    "all": "1", "people": "0.6", "scenery": "0.4", "single": "0", "group": "0", "crowd": "0.2",
    "city": "0.4", "countryside": "0",
}  # fmt: skip
NOT_SHARED = (
    "The paper's 60 pages are not published. With --texts, Tables 4 to 6 are those of your own "
    "systems; `spotlab pipelines` makes such texts from pages."
)


@dataclass(frozen=True)
class PublishedFigure:
    """A figure of a paper beside the one that spotlab computes.

    Attributes
    ----------
    table, row, name : str
        Where it stands, and what it is.
    published : str
        As it is printed; empty for data that the paper does not have.
    computed : float or None
        None where undefined.
    """

    table: str
    row: str
    name: str
    published: str
    computed: float | None

    @property
    def agrees(self) -> bool | None:
        """Tell whether it is the same, rounded as printed; None where nothing is printed.

        Examples
        --------
        >>> PublishedFigure("Table 3", "S1", "Rc", "0.71", 0.7059).agrees
        True
        """
        if not self.published or self.computed is None:
            return None
        digits = len(self.published.partition(".")[2])
        return abs(self.computed - float(self.published)) <= 0.5 * 10.0**-digits + 1e-12


@click.command()
@click.option(
    "--texts",
    type=EXISTING_FOLDER,
    help="Folder with a sub-folder of texts, PAGE or ALTO files for each system, one of them "
    "called truth, for Tables 4 to 6 of Lamiroy & Sun.",
)
@json_option
def consensus(texts: Path | None, json_file: str | None) -> None:
    """Reproduce Tables 1 to 6 of Lamiroy & Sun (2013), and the example of Santini.

    Each figure of the papers stands beside the one that is computed. Tables 4 to 6 need --texts.
    """
    check_target(json_file)
    with progress_bar() as progress:
        figures = [*lamiroy_sun(), *santini()]
        own = [] if texts is None else list(tables_of(texts, progress))
    tell(
        json_file,
        lambda: {"published": [_as_dict(each) for each in figures],
                 "own": [_as_dict(each) for each in own]},
        lambda: _lines(figures, own),
    )  # fmt: skip


def lamiroy_sun() -> Iterator[PublishedFigure]:
    """Tables 1 to 3: three systems and seven items."""
    from spotlab.consensus.precision import item_probability, uniform_weights  # noqa: PLC0415
    from spotlab.studies.systems.comparison import compare_systems  # noqa: PLC0415
    from spotlab.studies.systems.voters import paper_example  # noqa: PLC0415

    table = paper_example()
    chance = item_probability(table.votes, uniform_weights(len(table.systems)))
    for item, printed, value in zip(table.items, TABLE_2, chance.tolist(), strict=True):
        yield PublishedFigure("Table 2", item, "P(δ)", printed, value)
    found = _by_paper(compare_systems(table))
    votes = table.votes.dense()
    sums = {"⊤": float(chance.sum())} | dict(
        zip(table.systems, (chance @ votes).tolist(), strict=True)
    )
    for system, texts in TABLE_3.items():
        values = (sums[system], *found[system])
        for name, text, value in zip(("ΣP·S", "Pr", "Rc"), texts, values, strict=True):
            yield PublishedFigure("Table 3", system, name, text, value)


def santini() -> Iterator[PublishedFigure]:
    """The categories of one image, from what five subjects said (eqs. 6 to 8)."""
    from spotlab.uncertain_truth.judgements import CategoryTree, Judgements, relevance  # noqa: PLC0415

    tree = CategoryTree.of(list(TREE.items()))
    said = [category for category, count in FIG_1.items() for _ in range(count)]
    rows = [(f"subject {number}", "Fig. 1", category) for number, category in enumerate(said, 1)]
    (shares,) = relevance(Judgements.of(tree, rows)).tolist()
    for category, printed in SANTINI.items():
        value = shares[tree.number[category]]
        yield PublishedFigure("Santini, Fig. 1", category, "p(ω|q)", printed, value)


def tables_of(texts: Path, progress: Progress) -> Iterator[PublishedFigure]:
    """Tables 4 to 6 for other systems: with truth, as a bag of words, and aligned."""
    from spotlab.formats.votes.reading import read_votes  # noqa: PLC0415
    from spotlab.studies.systems.comparison import compare_systems  # noqa: PLC0415

    methods: Mapping[str, Method] = {
        "Table 5, Method I": "bag_of_words",
        "Table 6, Method II": "alignment",
    }
    for name, method in methods.items():
        table: VoteTable = read_votes(texts, method=method, progress=progress)
        found = compare_systems(table, methods=["paper"], progress=progress)
        if found.truth is not None and method == "bag_of_words":
            pairs = zip(found.truth.precision.tolist(), found.truth.recall.tolist(), strict=True)
            yield from _own("Table 4, with truth", dict(zip(table.systems, pairs, strict=True)))
        yield from _own(name, _by_paper(found))


def _own(table: str, figures: Mapping[str, Sequence[float | None]]) -> Iterator[PublishedFigure]:
    for system, values in figures.items():
        for name, value in zip(("precision", "recall"), values, strict=True):
            known = None if value is None or value != value else value  # noqa: PLR0124 - NaN
            yield PublishedFigure(table, system, name, "", known)


def _by_paper(found: SystemComparison) -> dict[str, tuple[float | None, float | None]]:
    """Precision and recall of ⊤ and of each system by the paper's method."""
    result = next(each for each in found.methods if each.name == "paper")
    figures = result.figures
    pairs = zip(figures.precision.tolist(), figures.recall.tolist(), strict=True)
    return {"⊤": result.top or (None, None)} | dict(zip(found.systems, pairs, strict=True))


def _as_dict(each: PublishedFigure) -> dict[str, object]:
    return {
        "table": each.table, "row": each.row, "figure": each.name,
        "published": each.published or None, "computed": each.computed, "agrees": each.agrees,
    }  # fmt: skip


def _lines(figures: Sequence[PublishedFigure], own: Sequence[PublishedFigure]) -> Iterator[str]:
    rows = [["", "", "", "published", "computed", ""]]
    for each in figures:
        same = "same" if each.agrees else "differs"
        rows.append([each.table, each.row, each.name, each.published, _figure(each), same])
    yield from aligned(rows)
    agree = sum(bool(each.agrees) for each in figures)
    yield f"{agree} of {len(figures)} figures are as published"
    yield ""
    yield "Tables 4 to 6 as published (precision, recall)"
    published = [["", *PIPELINES]]
    published += [[name, *map(", ".join, pairs)] for name, pairs in TABLES_4_TO_6.items()]
    yield from aligned(published)
    if not own:
        yield NOT_SHARED
        return
    yield ""
    yield "Tables 4 to 6 of these texts (precision, recall)"
    cells: dict[str, dict[str, list[str]]] = {}
    for each in own:
        cells.setdefault(each.row, {}).setdefault(each.table, []).append(_figure(each))
    heads = list(TABLES_4_TO_6)
    table = [["", *heads]]
    for system, by_table in cells.items():
        table.append([system, *(", ".join(by_table.get(head, [])) for head in heads)])
    yield from aligned(table)


def _figure(each: PublishedFigure) -> str:
    return UNDEFINED if each.computed is None else f"{each.computed:.4f}"
