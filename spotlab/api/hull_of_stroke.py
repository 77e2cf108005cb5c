"""Truth that is drawn: outlines of strokes, work that proposals save, files checked, converted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.api.arguments import (
    ResultSummary,
    as_arguments,
    check_choice,
    frame_of_rows,
    html_of,
    is_path,
    path_of,
    paths_of,
    pixels_of,
    text_of,
)
from spotlab.api.job import checked, job, unusable
from spotlab.api.settings import (
    ConversionSettings,
    InkJobSettings,
    ProposalSettings,
    ValidationSettings,
)
from spotlab.editing.unfinished import unfinished_remarks
from spotlab.editing.validate import ValidatedPage, validate_files
from spotlab.errors import BadArgument, counted
from spotlab.files import PathLike, is_file, is_folder
from spotlab.formats.collection import convert as truth_conversion
from spotlab.formats.collection.dataset import Images, Split
from spotlab.formats.collection.export import Converted, ExportSelection
from spotlab.formats.collection.label_file import read_ink
from spotlab.formats.rows.json_values import attributes
from spotlab.formats.rows.reading import Consequence, Finding, Reading
from spotlab.imaging.ink import InkMethod, InkSettings, InkTone, colour_of_text
from spotlab.imaging.page_ink import PageInk
from spotlab.imaging.reading.pixels import read_page
from spotlab.imaging.stroke_outline import InkCut, InkSearch, outline_stroke
from spotlab.model import Primitive
from spotlab.report.figure_text import written
from spotlab.spotting.symbols.engine.method import SymbolSettings, named_ink_settings
from spotlab.studies.symbols.work_saved import WorkSaved, measure_proposal_work
from spotlab.studies.tally.truth import read_truths

if TYPE_CHECKING:
    from pandas import DataFrame
    from PIL.Image import Image


@checked
def hull_of_stroke(
    image: PathLike | NDArray[np.uint8] | NDArray[np.bool_] | Image,
    stroke: ArrayLike,
    *,
    share: float = 0.5,
    primitive: str = "hull",
    cut: str = "proposed",
    ink: str = "otsu",
    tone: str = "auto",
) -> NDArray[np.float64]:
    """Outline the ink that a rough closed stroke takes, exactly as Sketch in the window does.

    Parameters
    ----------
    image : path, array or PIL.Image
        The page: an image file, an image of Pillow, or (H, W) or (H, W, 3) uint8 or (H, W) bool
        pixels.
    stroke : (N, 2) array_like
        x, y in px, origin top left; closed by itself.
    share : float
        A connected component of ink is taken when more than this share in [0, 1] of its pixels lies
        inside the stroke, or all of them.
    primitive : str
        "hull", "box", "ellipse", "isothetic", "trace" or "cells".
    cut : "proposed", "stroke" or "none"
        Where ink is cut that continues outside the stroke: where it hangs on something larger, as a
        door hangs on its wall; at the stroke; or nowhere, so that components are taken whole.
    ink : "otsu", "sauvola" or "wolf"
        How ink is told from paper.
    tone : "auto", "dark" or "light"
        Whether ink is darker or lighter than the paper; "auto" takes for ink what there is less of.

    Returns
    -------
    (M, 2) float
        Open ring in px; (0, 2) where the stroke takes no ink.

    Raises
    ------
    SpotlabError
        The image cannot be read, or the stroke is no list of points.

    Examples
    --------
    >>> page = np.full((40, 60), 255, np.uint8)
    >>> page[10:20, 15:35] = 0
    >>> hull_of_stroke(page, [(10, 5), (40, 5), (40, 25), (10, 25)]).tolist()
    [[15.0, 10.0], [35.0, 10.0], [35.0, 20.0], [15.0, 20.0]]
    """
    check_choice(primitive, "primitive", [str(each) for each in Primitive if each.has_area])
    check_choice(cut, "cut", [str(each) for each in InkCut])
    check_choice(ink, "ink", [str(each) for each in InkMethod])
    check_choice(tone, "tone", [str(each) for each in InkTone])
    try:
        points = np.asarray(stroke, np.float64)
    except (TypeError, ValueError) as error:
        raise unusable(stroke, "stroke", "points x, y in px, (N, 2)") from error
    if points.ndim != 2 or points.shape[1] != 2 or not np.isfinite(points).all():
        raise BadArgument(f"`stroke` has the shape {points.shape}; expected finite points, (N, 2)")
    with as_arguments():
        settings = InkSettings(InkMethod(ink), tone=InkTone(tone))
        page_ink = _page_ink(image, settings)
        search = InkSearch(page_ink, tuple(map(tuple, points.tolist())), share, InkCut(cut))
        drawn = outline_stroke(search, Primitive(primitive))
    return np.asarray(drawn.points, np.float64)


def _page_ink(image: Any, settings: InkSettings) -> PageInk:
    if is_path(image):
        path = Path(image)
        changed = path.stat().st_mtime_ns if is_file(path) else 0
        return _ink_of_file(path, changed, settings)
    pixels = np.asarray(pixels_of(image))
    if pixels.ndim not in (2, 3) or pixels.dtype != np.uint8:
        raise unusable(image, "image", "a path, or (H, W) or (H, W, 3) uint8 pixels")
    return PageInk(pixels, settings)


@lru_cache(maxsize=1)
def _ink_of_file(path: Path, _changed: int, settings: InkSettings) -> PageInk:
    """The ink of a page; several strokes on one page read it once."""
    return PageInk(read_page(path), settings)


@dataclass(frozen=True, eq=False, repr=False)
class ProposalWork:
    """Work that proposals save when the truth of pages is made; `spot_propose` makes it.

    Attributes
    ----------
    work : WorkSaved
        Of each page.
    lessons : int
        Number of labelled pages that were learned from.
    """

    work: WorkSaved
    lessons: int = 0

    def frame(self) -> DataFrame:
        """A row for each page.

        Returns
        -------
        DataFrame
            Columns page, symbols, accepted, drawn and rejected (counts), close (accepted ones that
            overlap their region by .75 or more) and overlap (sum of the IoU of accepted ones).
        """
        names = ("page", "symbols", "accepted", "drawn", "rejected", "close", "overlap")
        rows = [tuple(getattr(page, name) for name in names) for page in self.work.pages]
        return frame_of_rows(names, rows)

    def as_dict(self) -> dict[str, Any]:
        """Everything in the layout of ``spotlab spot propose --json``; None where undefined."""
        return {"lessons": self.lessons, **self.work.as_json()}

    @property
    def summary(self) -> ResultSummary:
        """Share of symbols that were accepted, and rejected proposals per accepted one."""
        work = self.work
        rows = tuple(
            (page.page, *(f"{n:,}" for n in (page.symbols, page.accepted, page.rejected)))
            for page in work.pages
        )
        title = (
            f"{written(work.share)} of the symbols accepted, {written(work.false_per_accepted)} "
            "rejected for each of them"
        )
        return ResultSummary(title, ("page", "symbols", "accepted", "rejected"), rows)

    __repr__ = text_of
    _repr_html_ = html_of


@job(ProposalSettings)
def spot_propose(chosen: ProposalSettings) -> ProposalWork:
    """Measure how much work proposals save when the truth of pages is made.

    A person is simulated who accepts a proposal that overlaps a region of its label by half or more
    (IoU), rejects any other, and draws what is not proposed.

    Parameters
    ----------
    chosen : ProposalSettings
        The parameters are its attributes.

    Returns
    -------
    ProposalWork

    Raises
    ------
    SpotlabError
        A page has no truth, or its image cannot be read.

    Examples
    --------
    ::

        spot_propose("plans/", lessons="labelled/").frame()

    >>> spot_propose("plans/", jobs=-1)
    Traceback (most recent call last):
        ...
    spotlab.errors.BadArgument: jobs is -1 (of type int); expected a whole number of at least 0
    """
    pages = paths_of(chosen.pages, "pages")
    settings = SymbolSettings(ink_of(chosen, pages))
    known = paths_of(chosen.lessons, "lessons")
    asked = read_truths(pages, progress=chosen.progress).truths
    lessons = read_truths(known, progress=chosen.progress).truths if known else {}
    work = measure_proposal_work(
        list(asked.values()),
        list(lessons.values()),
        settings,
        cache=path_of(chosen.cache),
        jobs=chosen.jobs,
        cluster=chosen.cluster,
        progress=chosen.progress,
    )
    return ProposalWork(work, len(lessons))


def ink_of(chosen: InkJobSettings, pages: Sequence[Path]) -> InkSettings | None:
    """The ink settings of a job; None for even light and nothing else, as `SymbolSettings` has it.

    Parameters
    ----------
    chosen : InkJobSettings
    pages : sequence of Path
        Beside which the window may have kept others.

    Raises
    ------
    BadArgument
        The colour is none, or no settings are kept with the pages.
    """
    if chosen.collection_ink:
        kept = {read_ink(page if is_folder(page) else page.parent) for page in pages}
        if len(kept) != 1 or None in kept:
            raise BadArgument(
                "`collection_ink`: the pages have no common ink settings; choose them in the "
                "window: View → Ink, Contrast and Share"
            )
        return kept.pop()
    colour = None if chosen.colour is None else colour_of_text(chosen.colour)
    if chosen.colour is not None and colour is None:
        raise BadArgument(f"`colour` is {chosen.colour!r}; expected #rrggbb")
    if not isinstance(chosen.ink, str):
        return chosen.ink
    plain = InkSettings(InkMethod(chosen.ink))
    settings = replace(
        plain, rulings=chosen.remove_rulings, specks=chosen.specks, smallest=chosen.smallest,
        colour=colour, tolerance=chosen.tolerance, tone=InkTone(chosen.tone),
    )  # fmt: skip
    return named_ink_settings(chosen.ink) if settings == plain else settings


@dataclass(frozen=True, eq=False, repr=False)
class ValidationResult:
    """Mistakes in truth files; `validate` makes it.

    Attributes
    ----------
    pages : tuple of ValidatedPage
        The findings of each page.
    findings : tuple of Finding
        Items that cannot be read, and remarks on files.
    unfinished : tuple of str
        Steps over all pages of a collection that were interrupted, a line each.
    """

    pages: tuple[ValidatedPage, ...]
    findings: tuple[Finding, ...] = ()
    unfinished: tuple[str, ...] = ()

    @property
    def errors(self) -> int:
        """Number of errors, what cannot be read among them."""
        left_out = sum(each.count for each in self.findings if each.kind is Consequence.LEFT_OUT)
        return len(self.unfinished) + sum(page.errors for page in self.pages) + left_out

    @property
    def readable(self) -> int:
        """Number of pages whose truth can be read."""
        return sum(page.regions is not None for page in self.pages)

    @property
    def warnings(self) -> int:
        """Number of warnings."""
        return sum(page.warnings for page in self.pages)

    def frame(self) -> DataFrame:
        """A row for each finding on a page.

        Returns
        -------
        DataFrame
            Columns page, truth (the file), severity ("error", "warning"), kind, region (its id;
            None for the page) and message.
        """
        rows = [
            (entry.name, str(entry.truth_path), *finding)
            for page in self.pages
            for entry in (page.entry,)
            for finding in (
                *(("error", "unreadable", None, text) for text in page.unreadable),
                *((str(each.severity), str(each.kind), each.region, each.message)
                  for each in page.findings),
            )
        ]  # fmt: skip
        return frame_of_rows(("page", "truth", "severity", "kind", "region", "message"), rows)

    def as_dict(self) -> dict[str, Any]:
        """Everything in the layout of ``spotlab validate --json``."""
        found: dict[str, Any] = {
            "errors": self.errors,
            "unfinished": list(self.unfinished),
            "findings": [
                {
                    "kind": str(finding.kind),
                    "file": str(finding.path),
                    "place": finding.place,
                    "problem": finding.problem,
                    "count": finding.count,
                }
                for finding in self.findings
            ],
            "warnings": self.warnings,
            "pages": [
                {
                    "truth": str(page.entry.truth_path),
                    "image": str(page.entry.image),
                    "page": page.entry.name,
                    "regions": page.regions,
                    "unreadable": list(page.unreadable),
                    "findings": [
                        attributes(finding, "severity", "kind", "region", "message")
                        for finding in page.findings
                    ],
                }
                for page in self.pages
            ],
        }
        return found

    @property
    def summary(self) -> ResultSummary:
        """Tell how many errors and warnings there are, and the first of them."""
        rows = tuple(
            (page.entry.name, str(each.severity), each.message)
            for page in self.pages
            for each in page.findings
        )
        pages = counted(self.readable, "page")
        title = (
            f"{pages} with truth, {counted(self.errors, 'error')}, "
            f"{counted(self.warnings, 'warning')}"
        )
        heads = ("page", "severity", "finding")
        return ResultSummary(title, heads, rows, (*self.unfinished, *map(str, self.findings)))

    __repr__ = text_of
    _repr_html_ = html_of


@job(ValidationSettings)
def validate(chosen: ValidationSettings) -> ValidationResult:
    """Check truth files, and all truth files in folders, for mistakes.

    Parameters
    ----------
    chosen : ValidationSettings
        The parameters are its attributes.

    Returns
    -------
    ValidationResult

    Raises
    ------
    SpotlabError
        A path is not there, or reading is strict and something cannot be read.

    Examples
    --------
    >>> from spotlab.resources import sample_collection
    >>> validate(sample_collection())
    12 pages with truth, 0 errors, 0 warnings
    """
    reading = Reading(strict=chosen.strict)
    paths = paths_of(chosen.paths, "paths")
    pages = validate_files(paths, chosen.progress, reading=reading)
    found = reading.findings.of([Consequence.LEFT_OUT]), reading.findings.of([Consequence.REMARK])
    unfinished = unfinished_remarks([*paths, *(page.entry.truth_path for page in pages)])
    return ValidationResult(tuple(pages), tuple(chain(*found)), tuple(unfinished))


@job(ConversionSettings)
def convert(chosen: ConversionSettings) -> Converted:
    """Convert truth files into any format that can be written.

    Parameters
    ----------
    chosen : ConversionSettings
        The parameters are its attributes.

    Returns
    -------
    Converted
        The files, numbers of pages and regions, and what was not read or has no place in the
        format, as `remarks`.

    Raises
    ------
    SpotlabError
        Nothing can be read, files are in the way, or something cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from spotlab.resources import sample_collection
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     convert(sample_collection(), f"{folder}/truth.json", to="coco").regions
    581
    """
    labels = chosen.labels.split(",") if isinstance(chosen.labels, str) else list(chosen.labels)
    names = frozenset(" ".join(name.split()) for name in labels) if chosen.labels != () else None
    return truth_conversion.convert(
        paths_of(chosen.source, "source"), Path(chosen.target), chosen.to, chosen.progress,
        words=chosen.words, lines=chosen.lines, blocks=chosen.blocks,
        file_group=chosen.file_group or "", annotator=chosen.annotator or "",
        labels_as_words=chosen.labels_as_words, strict=chosen.strict,
        selection=ExportSelection(chosen.checked, names), images=Images(chosen.images),
        overwrite=chosen.overwrite,
        split=None if chosen.split is None else Split.parse(chosen.split, chosen.seed),
    )  # fmt: skip
