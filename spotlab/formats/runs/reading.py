"""Reads a run of whatever format it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from spotlab.errors import BadInput, counted
from spotlab.files import is_folder
from spotlab.formats.rows.numbers import natural
from spotlab.formats.rows.text_files import content_name, read_head
from spotlab.formats.runs.csv_folder import are_parts, csv_files
from spotlab.formats.runs.detection_records import are_page_records
from spotlab.formats.runs.format import Naming, ReadRun, RunFormat
from spotlab.formats.runs.side_files import SIDE_FILE, read_side_file, with_models
from spotlab.model.run import Run
from spotlab.progress import Progress, silent
from spotlab.registry import discover, guarded

PACKAGE = "spotlab.formats.runs"
_OF_PAGES = (".xml", ".txt")  # endings of files that are about a page, or a class, each


def known_run_formats() -> dict[str, RunFormat]:
    """All run formats by name, other people's included."""
    return discover(PACKAGE, RunFormat)


def run_format_of(path: Path) -> RunFormat:
    """The format of a file or folder, by its content and its name.

    Raises
    ------
    BadInput
        It cannot be read, or is of no known format.
    """
    head = b""
    if not is_folder(path):
        head = read_head(path)
        if not head:
            raise BadInput(path, "the file is empty", expected="a run")
    formats, name = known_run_formats().values(), content_name(path)
    found = [format for format in formats if guarded(format, partial(format.sniff, name, head))]
    if not found:
        titles = ", ".join(format.title for format in formats)
        first = next(iter(head.decode("utf-8-sig", "replace").split("\n")), "").strip()[:60]
        begins = f"; line 1 is {first!r}" if first and first.isprintable() else ""
        raise BadInput(path, f"this is no run{begins}", expected=f"one of {titles}")
    return found[0]


def read_run(
    path: Path | str, naming: Naming | None = None, progress: Progress = silent
) -> ReadRun:
    """The run in a file, or in a folder of PAGE files; its name is the file's, without ending.

    Parameters
    ----------
    path : Path
    naming : Naming, optional
        What the numbers of COCO results mean.

    Returns
    -------
    ReadRun
        The spots that are right, every line that is not, and remarks.

    Raises
    ------
    BadInput
        Nothing can be read.
    """
    path = Path(path)
    return _completed(run_format_of(path).read(path, naming or Naming(), progress), path)


def read_page_of_run(path: Path, page: str, progress: Progress = silent) -> Run | None:
    """The spots of one page of a large run, for a first look before all of it is read.

    Parameters
    ----------
    path : Path
    page : str
        Its name, or the part of it that every spelling has.

    Returns
    -------
    Run or None
        Spots of other pages may be among them. None where the format, or the file, does not give a
        page sooner than all of them.

    Raises
    ------
    BadInput
        Nothing can be read.
    """
    read = run_format_of(path).read_page
    run = None if read is None else read(path, page, progress)
    return None if run is None else _completed(ReadRun(run), path).run


def _completed(found: ReadRun, path: Path) -> ReadRun:
    """With what files beside it say."""
    beside = read_side_file(path)
    if beside:
        run = replace(found.run, provenance={**beside, **found.run.provenance})
        found = replace(found, run=run)
    return with_models(found, path)


EXPECTED = (
    "run files (CSV, Parquet, JSON), each a run; or files of one page each (YOLO, PAGE or VOC with "
    "conf, JSON, CSV called like its page or query), which are one run together"
)


def runs_in(path: Path) -> list[Path]:
    """The runs that a path stands for, in natural order.

    A file is one. A folder with PAGE, VOC or text files in it, or in folders in it, is one, and so
    is a folder of CSV files that are called like their page or their query, or of JSON files about
    a page each. Each run file in any other folder is one.

    Raises
    ------
    BadInput
        The folder has no run.
    """
    if not is_folder(path):
        return [path]
    endings = {suffix for format in known_run_formats().values() for suffix in format.suffixes}
    files = [
        each
        for each in path.iterdir()
        if content_name(each).suffix.lower() in endings
        and not each.name.startswith(".")
        and not each.name.endswith(SIDE_FILE)
    ]
    together = any(content_name(each).suffix.lower() in _OF_PAGES for each in files)
    if together or are_parts(csv_files(path)) or are_page_records(path):
        return [path]
    if files:
        return sorted(files, key=lambda each: natural(each.name))
    if any(path.rglob("*.xml")) or any(path.rglob("*.txt")):
        return [path]
    raise BadInput(path, "the folder has no run", expected=EXPECTED)


def spelled_alike(read: ReadRun, spelling: Callable[[str], str]) -> ReadRun:
    """The run with its queries spelled anew; those that become one are joined, and named.

    Parameters
    ----------
    read : ReadRun
    spelling : callable
        Gives a query as labels are spelled.

    Examples
    --------
    >>> from spotlab.geometry.polygon import Outlines
    >>> square = [(0, 0), (1, 0), (1, 1)]
    >>> run = Run.ordered("a", ["Bar", "bar"], ["p", "q"], Outlines.of([square, square]),
    ...                   score=np.array([0.1, 0.9]))
    >>> joined = spelled_alike(ReadRun(run), str.casefold)
    >>> joined.run.queries, joined.run.spot(0).page, joined.remarks
    (('bar',), 'q', ('1 query of several spellings, whose spots are ranked together: Bar, bar',))
    """
    run = read.run
    names = [spelling(query) for query in run.queries]
    models = tuple(replace(model, query=spelling(model.query)) for model in run.models)
    if len(set(names)) == len(names):
        return replace(read, run=replace(run, queries=tuple(names), models=models))
    has_scores = not np.isnan(run.score).any()
    joined = Run.ordered(
        run.name,
        [names[query] for query in run.query.tolist()],
        [run.pages[page] for page in run.page.tolist()],
        run.outlines,
        rank=None if has_scores else run.rank.astype(float),
        score=run.score,
        labels=[run.labels[label] if label >= 0 else "" for label in run.label.tolist()],
        line=run.line,
        source=run.source,
        provenance=run.provenance,
    )
    spellings: dict[str, list[str]] = {}
    for query, name in zip(run.queries, names, strict=True):
        spellings.setdefault(name, []).append(query)
    several = [given for given in spellings.values() if len(given) > 1]
    remark = (
        f"{counted(len(several), 'query')} of several spellings, whose spots are ranked together: "
        f"{', '.join(several[0])}"
    ) + (" …" if len(several) > 1 else "")
    return replace(read, run=replace(joined, models=models), remarks=(*read.remarks, remark))
