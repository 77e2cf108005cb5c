"""`spotlab pipelines`: binarisation, OCR and named entities compared with and without truth."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spotlab.api.settings import InkJobSettings
from spotlab.cli.console import as_options, check_target, json_option, progress_bar, say, tell
from spotlab.cli.options import (
    EXISTING_FILE,
    EXISTING_PATH,
    FOLDER,
    csv_safe_option,
    ink_options,
    job_options,
)
from spotlab.errors import counted
from spotlab.report.figure_text import aligned

if TYPE_CHECKING:
    from spotlab.lab.pipelines.pipelines import MethodFigures, PipelineStudy, PipelineTable
    from spotlab.spotting.reading.text_reader import TextReader

INKS = ("even", "otsu", "sauvola", "wolf")  # a test holds them against the model
METHODS = {"bag_of_words": "Method I, bag of words", "alignment": "Method II, alignment"}


@click.command()
@click.option(
    "--pages",
    type=EXISTING_PATH,
    multiple=True,
    required=True,
    help="Image, or folder of images; may be given several times.",
)
@click.option(
    "--truth",
    type=EXISTING_PATH,
    multiple=True,
    help="True texts: text, PAGE or ALTO files named like the pages.  [default: PAGE files beside "
    "the pages]",
)
@click.option(
    "--ink",
    "inks",
    type=click.Choice(INKS),
    multiple=True,
    default=INKS[1:],
    show_default=True,
    help="Binarisation method; may be given several times.",
)
@ink_options
@click.option(
    "--engine",
    "engines",
    multiple=True,
    default=("tesseract",),
    show_default=True,
    help="OCR engine; may be given several times.",
)
@click.option(
    "--language",
    default="",
    help="Language of the texts by the engine's name for it, for example eng.",
)
@click.option(
    "--entities",
    default="rules",
    show_default=True,
    help="Texts to compare: named entities found by rules (rules), or all words (words).",
)
@click.option(
    "--gazetteer",
    type=EXISTING_FILE,
    help="Text file of known names, one per line, optionally followed by a tab and the entity "
    "type.",
)
@click.option(
    "--method",
    "methods",
    type=click.Choice(list(METHODS)),
    multiple=True,
    default=tuple(METHODS),
    show_default=True,
    help="Method that turns texts into votes; may be given several times.",
)
@job_options
@json_option
@click.option(
    "--out",
    type=FOLDER,
    help="Folder for a report, texts, entities and votes; texts already there are reused.",
)
@csv_safe_option
def pipelines(
    pages: tuple[Path, ...],
    truth: tuple[Path, ...],
    json_file: str | None,
    out: Path | None,
    **chosen: Any,
) -> None:
    """Read pages with several OCR pipelines, and rate each with and without truth.

    Lamiroy & Sun, §4.2: binarisation by Otsu, Sauvola and Wolf, OCR, named entities. The entities
    vote, as a bag of words and aligned. Table 4 uses truth; Tables 5 and 6 use the agreement of the
    pipelines.
    """
    from spotlab.api.hull_of_stroke import ink_of  # noqa: PLC0415
    from spotlab.imaging.ink import InkMethod  # noqa: PLC0415 - takes a second
    from spotlab.lab.pipelines.entities.entity_finder import finder_of, read_gazetteer  # noqa: PLC0415
    from spotlab.lab.pipelines.pipeline_texts import make_pipelines, read_pages, read_true_texts  # noqa: PLC0415
    from spotlab.lab.pipelines.pipelines import TEXTS, as_json, compare_pipelines, write_pipelines  # noqa: PLC0415
    from spotlab.spotting.page_entries import page_entries  # noqa: PLC0415

    check_target(json_file)
    finder = finder_of(chosen["entities"])
    names = None if chosen["gazetteer"] is None else read_gazetteer(chosen["gazetteer"])
    readers = _readers(chosen["engines"], chosen["language"])
    inks = [InkMethod(name) for name in dict.fromkeys(chosen["inks"])]
    own = {name: chosen[name] for name in vars(InkJobSettings)["__annotations__"] if name != "ink"}
    with as_options():
        ink = InkJobSettings(pages, ink="otsu", **own)
        cleaned = ink_of(ink, pages)
    made = make_pipelines(inks, readers, chosen["language"], cleaned)
    with progress_bar() as progress:
        entries = page_entries(pages)
        true = read_true_texts(truth, entries, progress)
        folder = None if out is None else out / TEXTS
        read = read_pages(
            entries, made, folder, jobs=chosen["jobs"], cluster=chosen["cluster"], progress=progress
        )
        study = compare_pipelines(
            read, finder, true or None, names, chosen["methods"], progress=progress
        )
    if out is not None:
        from spotlab.lab.pipelines.pipelines_report import write_pipeline_report  # noqa: PLC0415 - matplotlib

        write_pipelines(study, out)
        write_pipeline_report(study, METHODS, out)
    tell(json_file, lambda: as_json(study), lambda: _lines(study))
    if out is not None:
        say(f"wrote {out}", err=json_file == "-")


def _readers(names: tuple[str, ...], language: str) -> list[TextReader]:
    from spotlab.spotting.reading.text_reader import reader_of  # noqa: PLC0415

    return [reader_of(name, language) for name in dict.fromkeys(names)]


def _lines(study: PipelineStudy) -> Iterator[str]:
    yield f"{counted(len(study.entities), 'page')}, entities by {study.finder.title}"
    if study.read.kept:
        yield f"{counted(study.read.kept, 'text')} reused from an earlier call"
    yield from study.remarks
    for method in study.methods:
        yield ""
        yield f"{METHODS[method.method]}: {counted(len(method.votes), 'item')}"
        yield from aligned(_rows(method, study.pipelines))
        if method.kendall is not None:
            yield f"Kendall's tau of F without and with truth: {method.kendall:.2f}"


def _rows(figures: MethodFigures, names: tuple[str, ...]) -> list[list[str]]:
    """Tables 4 to 6: a column a pipeline, those of ⊤ and ⊥ around them."""
    from spotlab.report.figure_text import UNDEFINED, written  # noqa: PLC0415

    rows = [["", "⊤", *names, "⊥"]]
    consensus = figures.consensus
    ends = (consensus.top, consensus.bottom)
    for measure in ("precision", "recall", "f"):
        top, bottom = (written(getattr(end, measure)) for end in ends)
        values = getattr(consensus, measure).tolist()
        rows.append([f"{measure} without truth", top, *map(written, values), bottom])
    tables: list[tuple[str, PipelineTable | None]] = [
        ("without truth, mean of pages", figures.by_page),
        ("by truth", figures.truth),
        ("by truth, mean of pages", figures.truth_by_page),
    ]
    for title, table in tables:
        for place, measure in enumerate(("precision", "recall", "f")):
            if table is not None:
                values = getattr(table, measure).tolist()
                end = written(table.top[place]) if table is figures.by_page else UNDEFINED
                rows.append([f"{measure} {title}", end, *map(written, values), UNDEFINED])
    return rows
