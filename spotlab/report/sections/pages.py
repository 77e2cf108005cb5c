"""The pages, with the areas and spots of each run to be switched on and off."""

from __future__ import annotations

from markupsafe import Markup

from spotlab.errors import counted
from spotlab.imaging.overlay import PERIOD, PRECEDENCE
from spotlab.report.colours import styles_of
from spotlab.report.pictures import (
    MEANINGS,
    ViewedPages,
    hatch_png,
    shown_kinds,
    spot_kinds,
    swatch_png,
)
from spotlab.report.section import Evaluated, Section


def _render(evaluated: Evaluated) -> Markup:
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
    return " ".join(lines)


SECTION = Section("pages", _render, 30)
