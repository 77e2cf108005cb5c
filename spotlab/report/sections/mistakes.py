"""Sections that show mistakes: on the pages, by kind and as confusion of labels."""

from __future__ import annotations

from markupsafe import Markup

from spotlab.errors import counted
from spotlab.extras import problem_of
from spotlab.imaging.overlay import PERIOD, PRECEDENCE
from spotlab.report.colours import styles_of
from spotlab.report.error_tables import (
    DEFINITION,
    TIDE_NOTE,
    confusion_pairs,
    confusion_table,
    tide_table,
)
from spotlab.report.images import data_uri
from spotlab.report.pictures import (
    MEANINGS,
    ViewedPages,
    hatch_png,
    shown_kinds,
    spot_kinds,
    swatch_png,
)
from spotlab.report.section import Evaluated, Section


def _render_pages(evaluated: Evaluated) -> Markup:
    viewed = evaluated.pictures.viewed
    if not viewed.pages:
        return Markup("")
    about = {
        "labels": viewed.labels,
        "kinds": spot_kinds(),
        "hatches": {kind.name: {"tile": hatch_png(kind), "side": PERIOD} for kind in PRECEDENCE},
        "runs": [
            {"name": run.name, "colour": style.colour}
            for run, style in zip(
                evaluated.evaluation.runs, styles_of(evaluated.evaluation), strict=True
            )
        ],
    }
    template = evaluated.templates.get_template("pages.html")
    ignored = any(areas["ignored"] for page in viewed.pages for areas in page["areas"])
    kinds = [
        (kind.name, kind.words, MEANINGS[kind], swatch_png(kind)) for kind in shown_kinds(ignored)
    ]
    extent = _extent(viewed)
    return Markup(template.render(pages=viewed.pages, about=about, extent=extent, kinds=kinds))


def _extent(viewed: ViewedPages) -> str:
    """Tell how much of the pages and spots is in the report."""
    pages = len(viewed.pages)
    lines = [
        f"{counted(pages, 'page')} of {viewed.all_pages:,}."
        if pages == viewed.all_pages
        else f"The {pages:,} pages of {viewed.all_pages:,} with the most false and missed area."
    ]
    if viewed.last_rank is not None:
        lines.append(
            f"Spots up to rank {viewed.last_rank:,} of each query are drawn, {viewed.spots:,} of "
            f"{viewed.all_spots:,}; figures count all of them, and Inspect shows all."
        )
    if problem := problem_of("cv2"):
        lines.append(f"Pictures of pages are left out: {problem}.")
    return " ".join(lines)


PAGES = Section("pages", _render_pages, 30)


def _render_errors(evaluated: Evaluated) -> Markup:
    full = evaluated.evaluation.in_full
    runs = [
        {"name": run.name, "full": run in full, "sample": evaluated.samples[run.name],
         "kinds": evaluated.pictures.errors.get(run.name, ())}
        for run in (*full, *evaluated.evaluation.in_short)
    ]  # fmt: skip
    if not runs:
        return Markup("")
    template = evaluated.templates.get_template("errors.html")
    iou = f"{evaluated.evaluation.settings.iou:g}"
    return Markup(template.render(runs=runs, data_uri=data_uri, iou=iou))


ERRORS = Section("errors", _render_errors, 35)


def _render_confusion(evaluated: Evaluated) -> Markup:
    if not evaluated.evaluation.runs:
        return Markup("")
    template = evaluated.templates.get_template("confusion.html")
    runs = []
    full = evaluated.evaluation.in_full
    for run in (*full, *evaluated.evaluation.in_short):
        confusion = evaluated.evaluation.confusion(run)
        pairs, tables = (
            [table for by in ("spots", "area") if (table := make(run.name, confusion, by))]
            for make in (confusion_pairs, confusion_table)
        )
        sample, gains = evaluated.samples[run.name], tide_table(run.name, run.tide)
        runs.append((sample, run.name, run in full, pairs, tables, gains))
    return Markup(template.render(runs=runs, definition=DEFINITION, tide_note=TIDE_NOTE))


CONFUSION = Section("confusion", _render_confusion, 40)
