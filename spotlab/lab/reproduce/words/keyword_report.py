"""The study of keyword spotting as a report: Hast's Tables 1 to 5 and Fig. 3."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from markupsafe import Markup

from spotlab.errors import counted
from spotlab.lab.reproduce.words.digits import OPEN, SWEPT, DigitStudy
from spotlab.lab.reproduce.words.keyword_study import CUTS, KINDS, KeywordStudy, QueryResult
from spotlab.ranking.fusion import fusions
from spotlab.report.charts import Chart, ChartLine, LinePlot
from spotlab.report.colours import run_colour
from spotlab.report.figure_text import written
from spotlab.report.studies.study import StudySection, write_study
from spotlab.report.studies.word_sheets import Crop, image_html
from spotlab.report.studies.words import differences_table, means_table, word_sheets
from spotlab.report.tables import Cell, Column, Table
from spotlab.studies.words.query_means import StudiedQuery, compare_queries

COLUMNS = 3
TABLES = {"representative": "Tables 2 and 4", "difficult": "Tables 3 and 5"}
FOUND, FALSE = "#009E73", "#D55E00"


def write_keywords(
    keywords: KeywordStudy,
    digits: DigitStudy | None,
    directory: Path,
    crop: Crop = lambda items, item: None,
) -> Path:
    """Write the report; gives its page.

    Parameters
    ----------
    keywords : KeywordStudy
    digits : DigitStudy or None
    directory : Path
    crop : callable
        Gives the picture of an item, (h, w) grey; None where there is none.

    Raises
    ------
    NotSaved
        It could not be written; what was there before is untouched.
    """
    sections = [_words(keywords, kind) for kind in KINDS]
    sections += [_over_queries(keywords), _curves(keywords)]
    sections += [_images(keywords, crop), *word_sheets(_first_queries(keywords), crop)]
    if digits is not None:
        sections.insert(0, _digits(digits))
    names = ", ".join(keywords.words)
    summary = (
        f"The protocol of Hast (2020) on {counted(keywords.pages, 'page')} with "
        f"{counted(keywords.items, 'place')} "
        f"that may be words: {names}. A hit scores {keywords.tau:g} or more, a sure one "
        f"{keywords.tight:g}; at most {counted(keywords.choices.top, 'word')} with "
        f"{keywords.choices.at_least:g} or more re-score a list. "
        "The query's own instance is left out."
    )
    return write_study(directory, "Consensus ranking", summary, sections, as_json(keywords, digits))


def as_json(keywords: KeywordStudy, digits: DigitStudy | None) -> dict[str, Any]:
    """All numbers, for `json_text`."""
    found: dict[str, Any] = {
        "words": keywords.words,
        "lists": keywords.lists,
        "pages": keywords.pages,
        "items": keywords.items,
        "tau": keywords.tau,
        "tight": keywords.tight,
        "top": keywords.choices.top,
        "at_least": keywords.choices.at_least,
        "mean": {
            kind: {name: keywords.mean(kind, name) for name in keywords.lists} for kind in KINDS
        },
        "queries": [
            {
                "word": each.word,
                "kind": each.kind,
                "place": each.place,
                "relevant": each.relevant,
                "average_precision": each.average_precision,
            }
            for each in keywords.results
        ],
    }
    if digits is not None:
        found["digits"] = [*digits.rows, digits.mean]
        found["digits_by_blur"] = [
            {"blur": row.blur, "nn": row.nn, "gains": dict(zip(SWEPT, row.gains, strict=True))}
            for row in digits.sweep
        ]
    return found


def _words(keywords: KeywordStudy, kind: str) -> StudySection:
    columns = [Column("Word", "word")]
    for name in keywords.lists:
        fusion = fusions()[name]
        columns.append(Column(fusion.title, name, fusion.definition))
    rows = [
        (Cell(word), *(_cell(keywords.mean(kind, name, word)) for name in keywords.lists))
        for word in keywords.words
    ]
    rows.append((Cell("Mean"), *(_cell(keywords.mean(kind, name)) for name in keywords.lists)))
    rows.append((Cell("Increase"), *(_percent(keywords.increase(kind, name), signed=True)
                 for name in keywords.lists)))  # fmt: skip
    table = Table(f"{kind.capitalize()} queries", tuple(columns), tuple(rows))
    shares = []
    for cut, title in CUTS.items():
        found = [keywords.purging(kind, name, cut) for name in keywords.lists]
        for place, what in enumerate(("false ones removed", "true hits lost")):
            values = (_percent(pair[place], scale=100) for pair in found)
            shares.append((Cell(f"{title}: {what} (%)"), *values))
    purged = Table(
        f"Hits removed and true hits lost by each cut, {kind} queries",
        (Column("Cut", "cut"), *columns[1:]),
        tuple(shares),
    )
    return StudySection(
        f"{kind.capitalize()} queries ({TABLES[kind]})",
        [
            "Mean average precision over the three queries of each word. The increase is that "
            "of QE over WS, and of the others over QE. Cuts are those that are suggested: τ, the "
            "best F, the largest drop of the scores a bit below τ."
        ],
        {kind: table, f"{kind}-purged": purged},
        {},
    )


def _over_queries(keywords: KeywordStudy) -> StudySection:
    """All queries together, with intervals and paired tests."""
    figures = [each.studied.figures() for each in keywords.results if each.studied]
    comparison = compare_queries(figures)
    tables = {"over-queries": means_table(comparison)}
    if len(comparison.lists) > 1 and figures:
        tables["differences"] = differences_table(comparison)
    return StudySection(
        "Means over all queries",
        [
            "Means over representative and difficult queries together, with 95 % "
            "intervals over queries, and differences between lists, paired by query. Precision, "
            "recall and F are those of a cut at τ."
        ],
        tables,
        {},
    )


def _images(keywords: KeywordStudy, crop: Crop) -> StudySection:
    """Fig. 1: the images of the queries."""
    blocks = []
    for word in keywords.words:
        rows = [Markup("<h4>{}</h4>").format(word)]
        for kind in KINDS:
            shown = [each for each in keywords.results if (each.word, each.kind) == (word, kind)]
            pictures = Markup("").join(_picture(each, crop) for each in shown)
            rows.append(Markup('<div class="words large">{}</div>').format(pictures))
        blocks.append(Markup("").join(rows))
    return StudySection(
        "Queries (Fig. 1)",
        [
            "The queries of each word: representative ones in the upper row, difficult ones in the "
            "lower row, with the page and the highest AP of its lists."
        ],
        {},
        {},
        blocks=blocks,
    )


def _picture(result: QueryResult, crop: Crop) -> Markup:
    image = result.studied.image() if result.studied else None
    known = [value for value in result.average_precision.values() if value is not None]
    picture = image_html(crop(*image) if image else None, result.place)
    said = f"{result.place.partition(':')[0]}, AP up to {written(max(known, default=None))}"
    return Markup("<figure>{}<figcaption>{}</figcaption></figure>").format(picture, said)


def _first_queries(keywords: KeywordStudy) -> list[tuple[str, StudiedQuery]]:
    """Figs. 4 and 5: a representative and a difficult query of each word."""
    first = {
        (each.word, each.kind): each.studied for each in reversed(keywords.results) if each.studied
    }
    return [
        (kind, first[word, kind])
        for word in keywords.words
        for kind in KINDS
        if (word, kind) in first
    ]


def _curves(keywords: KeywordStudy) -> StudySection:
    shown = []
    for word in keywords.words:
        shown += [each for each in keywords.results if each.word == word][:1]
    return StudySection(
        "Scores (Fig. 3)",
        [
            "The lists of one representative query of each word: score over rank, relevant words "
            "as green, others as orange marks. The line is τ."
        ],
        {},
        {"scores": score_curves(shown, keywords.tau)},
    )


def score_curves(results: Sequence[QueryResult], tau: float) -> Chart:
    """Score over rank, a plot for each query and a line for each list."""
    plots = []
    for result in results:
        lines: list[ChartLine] = []
        longest = max((len(curve.score) for curve in result.curves), default=1)
        ranks = np.arange(1.0, longest + 1)
        for number, curve in enumerate(result.curves):
            own, link = ranks[: len(curve.score)], f"list:{curve.name}"
            colour = run_colour(number)
            lines.append(ChartLine(curve.name, colour, curve.score, own, link=link, width=1.4))
            for wanted, mark, marks in ((True, FOUND, "full"), (False, FALSE, "hollow")):
                shown = np.where(curve.relevant == wanted, curve.score, np.nan)
                lines.append(ChartLine("", mark, shown, own, link=link, marks=marks))
        plots.append(LinePlot(result.word, "Rank", ranks, lines, top=None, level=tau))
    return Chart(plots, COLUMNS, (3.5, 2.9))


def _digits(digits: DigitStudy) -> StudySection:
    columns = (
        Column("Digit", "digit"),
        Column("NN", "nn", "Nearest neighbours by cosine"),
        Column("NN, paper", "paper_nn"),
        Column("CR as in the paper", "cr_as_paper", "n = 12, score of .8 or more"),
        Column("Gain (%)", "gain_as_paper"),
        Column("CR, paper", "paper_cr"),
        Column("CR, chosen", "cr", digits.consensus.settings),
        Column("Gain (%)", "gain"),
        Column(f"Best: {digits.best.name}", "best", digits.best.settings),
        Column("Gain (%)", "gain_best"),
        Column("Wrong re-scoring (%)", "wrong"),
    )
    rows = []
    for row in (*digits.rows, digits.mean):
        gains = [row.gain(name) for name in ("cr_as_paper", "cr", "best")]
        as_paper, chosen, best = (_percent(gain, scale=100, signed=True) for gain in gains)
        rows.append(
            (
                Cell("Mean" if row.digit is None else str(row.digit)),
                _cell(row.nn),
                _cell(row.paper_nn),
                _cell(row.cr_as_paper),
                as_paper,
                _cell(row.paper_cr),
                _cell(row.cr),
                chosen,
                _cell(row.best),
                best,
                _percent(row.wrong_as_paper, scale=100),
            )
        )
    return StudySection(
        "Digits (Table 1)",
        [
            f"{digits.each} images of each digit search {digits.each} others of each. Settings "
            f"were chosen on draws {_listed(digits.chosen_on)}, and these figures are of draws "
            f"{_listed(digits.reported_on)}.",
            *([OPEN] if digits.sweep else []),
        ],
        {
            "digits": Table("Mean average precision by digit", columns, tuple(rows)),
            **({"digits_by_blur": _by_blur(digits)} if digits.sweep else {}),
        },
        {},
    )


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))


def _cell(value: float | None) -> Cell:
    return Cell("–") if value is None else Cell(f"{value:.3f}".removeprefix("0"), value)


def _percent(value: float | None, *, scale: float = 1, signed: bool = False) -> Cell:
    if value is None:
        return Cell("–")
    return Cell(f"{scale * value:{'+' if signed else ''}.1f}", scale * value)


def _by_blur(digits: DigitStudy) -> Table:
    columns = (
        Column("Blur (px)", "blur"),
        Column("NN", "nn"),
        *(Column(f"Gain (%), {name}", f"gain_{at}") for at, name in enumerate(SWEPT, 1)),
    )
    rows = (
        (
            Cell(f"{row.blur:g}"),
            _cell(row.nn),
            *(_percent(gain, scale=100, signed=True) for gain in row.gains),
        )
        for row in digits.sweep
    )
    return Table("Gain of consensus ranking by blur", columns, tuple(rows))
