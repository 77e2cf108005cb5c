"""What a folder is where runs are expected: one run, or the runs that are files in it."""

from __future__ import annotations

from pathlib import Path

from spotlab.errors import BadInput
from spotlab.files import is_folder
from spotlab.formats.rows.natural import natural
from spotlab.formats.runs.csv_folder import are_parts, csv_files
from spotlab.formats.runs.file_state import SIDE_FILE
from spotlab.formats.runs.page_conf import FORMAT as PAGES
from spotlab.formats.runs.reading import known_run_formats

EXPECTED = (
    "run files (CSV, Parquet, COCO results), each a run; or PAGE files with conf, or CSV files "
    "that are called like their page or query, which are one run together"
)


def runs_in(path: Path) -> list[Path]:
    """The runs that a path stands for, in natural order.

    A file is one. A folder with PAGE files in it, or in folders in it, is one, and so is a folder
    of CSV files that are called like their page or their query. Each run file in any other folder
    is one.

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
        if each.suffix.lower() in endings
        and not each.name.startswith(".")
        and not each.name.endswith(SIDE_FILE)
    ]
    pages = any(each.suffix.lower() in PAGES.suffixes for each in files)
    if pages or are_parts(csv_files(path)):
        return [path]
    if files:
        return sorted(files, key=lambda each: natural(each.name))
    if any(path.rglob("*.xml")):
        return [path]
    raise BadInput(path, "the folder has no run", expected=EXPECTED)
