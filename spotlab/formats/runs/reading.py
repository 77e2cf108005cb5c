"""Reads a run of whatever format it is."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

from spotlab.errors import BadInput, reason
from spotlab.files import is_folder, open_file
from spotlab.formats.runs.format import Naming, ReadRun, RunFormat
from spotlab.formats.runs.models_file import with_models
from spotlab.formats.runs.provenance import read_side_file
from spotlab.model.run import Run
from spotlab.progress import Progress, silent
from spotlab.registry import discover, guarded

PACKAGE = "spotlab.formats.runs"


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
        try:
            with open_file(path) as file:
                head = file.read(4096)
        except OSError as error:
            raise BadInput(path, f"cannot be read: {reason(error)}") from error
        if not head:
            raise BadInput(path, "the file is empty", expected="a run")
    formats = known_run_formats().values()
    found = [format for format in formats if guarded(format, partial(format.sniff, path, head))]
    if not found:
        titles = ", ".join(format.title for format in formats)
        raise BadInput(path, "this is no run", expected=f"one of {titles}")
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
