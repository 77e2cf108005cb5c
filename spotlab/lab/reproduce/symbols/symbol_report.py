"""The study of symbol spotting as a report: the tables and figures of Rusiñol & Lladós, §5."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from spotlab.errors import BadInput, counted
from spotlab.imaging.reading.pixels import read_page
from spotlab.lab.reproduce.symbols.symbol_claims import CheckedStatement
from spotlab.lab.reproduce.symbols.symbol_plots import (
    f_curves,
    fullest_page,
    quality_curves,
    query_models,
)
from spotlab.lab.reproduce.symbols.symbol_published import OWN
from spotlab.lab.reproduce.symbols.symbol_study import SymbolStudy
from spotlab.lab.reproduce.symbols.symbol_tables import (
    claims_table,
    classes_table,
    collection_table,
    comparisons_table,
    deviations_table,
    further_table,
    quality_table,
)
from spotlab.report.studies.scalability import curves, parts_table, sizes
from spotlab.report.study import StudySection, write_study
from spotlab.studies.evaluate.scalability import as_json as scalability_json

EACH_QUERY = "b"  # whose queries Fig. 8b shows


def write_symbols(
    study: SymbolStudy, directory: Path, further: Sequence[StudySection] = ()
) -> Path:
    """Write the report; gives its page.

    Parameters
    ----------
    further : sequence of StudySection
        Of other studies, after its own.

    Raises
    ------
    NotSaved
        It could not be written; what was there before is untouched.
    """
    sections = [_claims(study), _quality(study), _scalability(study), _collection(study), *further]
    return write_study(directory, "Symbol spotting", _summary(study), sections, as_json(study))


def as_json(study: SymbolStudy) -> dict[str, Any]:
    """All numbers; undefined ones are None. Shares in percent, as the paper prints them."""
    return {
        "collection": study.collection,
        "classes": {
            label: {"symbols": symbols, "pages": pages}
            for label, (symbols, pages) in study.classes.items()
        },
        "methods": dict(study.titles),
        "figures": study.figures,
        "claims": [_claim(claim) for claim in study.claims],
        "own_claims": [_claim(claim) for claim in study.own_claims],
        "scalability": scalability_json(study.scalability),
    }


def _claim(claim: CheckedStatement) -> dict[str, Any]:
    return {
        "statement": claim.statement.text,
        "where": claim.statement.where,
        "holds": claim.holds,
        "right": claim.right,
        "total": claim.total,
    }


def _summary(study: SymbolStudy) -> str:
    found = study.collection
    held = sum(claim.holds is True for claim in study.claims)
    own = f" Method {OWN} is not the paper's." if OWN in study.methods else ""
    return (
        f"The evaluation of Rusiñol & Lladós (2010, §5) on {found['pages']:,.0f} pages with "
        f"{found['symbols']:,.0f} symbols of {found['classes']:,.0f} classes, searched by "
        f"{counted(len(study.models), 'model')} cropped from the pages.{own} Of "
        f"{len(study.claims)} things "
        f"that the paper says of its methods, {held} hold here."
    )


def _claims(study: SymbolStudy) -> StudySection:
    tables = {"statements": claims_table(study.claims, "The paper's methods")}
    if study.own_claims:
        title = f"Method {OWN} compared with the paper's"
        tables["statements-own"] = claims_table(study.own_claims, title)
    return StudySection(
        "Statements of the paper and whether they hold here",
        [
            "Each statement is a set of comparisons of figures, and holds where all of them do. "
            "The figures printed in the paper satisfy every one that they are enough for."
        ],
        tables,
        {},
    )


def _quality(study: SymbolStudy) -> StudySection:
    runs = [run.figures for run in study.evaluation.runs]
    chosen = EACH_QUERY if EACH_QUERY in study.methods else None
    notes = [f"{run.name}: {remark}" for run in study.evaluation.runs for remark in run.remarks]
    return StudySection(
        "Quality (Table 2, Figs. 7 and 8)",
        [
            "Means over the classes searched; below them 95 % intervals, had other classes been "
            "searched. AveP is averaged over the ranks whose region overlaps some truth. A symbol "
            f"is recognised where at least {study.evaluation.settings.recognised:.0%} of its area "
            "is retrieved; a region that overlaps no recognised symbol is a false positive. Every "
            "run is evaluated down to its last region; the best F(r) is the highest point of "
            "Fig. 8a, where lists end at the best recall. A model finds the place that it is from, "
            "as in the paper; “no models” leaves out the symbols that are models."
        ],
        {
            "table-2": quality_table(study),
            "further": further_table(study),
            "differences": comparisons_table(study),
        },
        {
            "fig-7": quality_curves(study.methods, runs),
            "fig-8": f_curves(study.methods, runs, chosen),
        },
        notes,
    )


def _scalability(study: SymbolStudy) -> StudySection:
    scalability = study.scalability
    counts = ", ".join(map(str, scalability.counts))
    return StudySection(
        "Scalability (Table 3, Figs. 9 and 10)",
        [
            f"{counts} classes, each number drawn {scalability.draws:,} times: the deviations are "
            "those between the averaged curves of different numbers of classes. These methods "
            "search every class by itself, so that what remains is the chance of drawing. "
            "Below, growing parts of the collection, in classes and in pages."
        ],
        {"table-3": deviations_table(study), "parts": parts_table(scalability)},
        {"fig-9": curves(scalability), "fig-10": sizes(scalability)},
    )


def _collection(study: SymbolStudy) -> StudySection:
    return StudySection(
        "Collection (§5.3, Fig. 6)",
        ["The query models of each class and the figures of their searches."],
        {"collection": collection_table(study), "classes": classes_table(study)},
        {"fig-6": query_models(study.models), **_page(study)},
        list(study.evaluation.remarks),
    )


def _page(study: SymbolStudy) -> dict[str, Figure]:
    """The page with most symbols; nothing where it cannot be read any more."""
    truth = max(study.evaluation.truths.values(), key=lambda each: len(each.regions))
    try:
        pixels = read_page(truth.page.image, truth.page.frame)
    except BadInput:
        return {}
    return {"fig-6-page": fullest_page(truth, pixels)}
