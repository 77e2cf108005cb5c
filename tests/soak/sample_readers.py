"""A sample of a kind of file, and functions that read one and use what they have read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from spotlab.editing.selection import Clipboard
from spotlab.errors import BadInput
from spotlab.formats.collection.detect import format_of, known_formats
from spotlab.formats.collection.folder import expand, scan
from spotlab.formats.runs.csv_run import write_csv
from spotlab.formats.runs.parquet_run import write_parquet
from spotlab.formats.runs.reading import read_page_of_run, read_run
from spotlab.formats.truth import page_xml
from spotlab.gui.kit.settings import KNOWN, Settings
from spotlab.imaging.reading.pixels import read_header, read_page, read_thumbnail
from spotlab.progress import silent

MOMENT = datetime(2024, 5, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Sample:
    """A valid file and what reads it.

    Attributes
    ----------
    content : bytes
    name : str
        What the file is called.
    read : callable
        Takes the path, gives anything, raises `SpotlabError` if it cannot be read.
    beside : mapping of str to bytes
        Files that have to lie beside it.
    mends : bool
        Whether reading may mend the file, or keep a damaged one under another name: it is our own.
    """

    content: bytes
    name: str
    read: Callable[[Path], object]
    beside: Mapping[str, bytes]
    mends: bool = False

    def put(self, folder: Path, content: bytes | None = None) -> Path:
        """Write it, or something else in its place, and what lies beside it; gives its path."""
        for name, other in {
            **self.beside,
            self.name: self.content if content is None else content,
        }.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(other)
        return folder / self.name


def read_truth(path: Path) -> object:
    """Read it as a truth file, list its folder, and write what was read in every format."""
    scan([path.parent])
    read = format_of(path).read_file(path)
    for truth in read:
        page_xml.serialise(truth, MOMENT)
    out = path.parent / "out"
    for format in known_formats().values():
        if format.write is not None and (len(read) == 1 or format.many_pages):
            out.mkdir(exist_ok=True)
            name = format.name if format.layout else f"written{format.suffixes[0]}"
            (out / format.name).mkdir(exist_ok=True)
            # crops need the image in the size that the truth says
            with suppress(BadInput) if format.name == "crops" else nullcontext():
                format.write(read, out / name, silent)
    return read


def read_runs(path: Path) -> object:
    """Read it as a run, and write that."""
    read = read_run(path)
    for page in read.run.pages[:2]:
        read_page_of_run(path, page)
    (path.parent / "out").mkdir()
    write_csv(read.run, path.parent / "out" / "run.csv")
    write_parquet(read.run, path.parent / "out" / "run.parquet")
    return read


def read_picture(path: Path) -> object:
    """Open it as a page, as its header and as a thumbnail."""
    read_header(path)
    [entry] = scan([path])
    read_thumbnail(path)
    return read_page(path, expand(entry)[-1].frame)


def read_texts(path: Path) -> object:
    from spotlab.formats.votes.texts import read_page_text, read_text  # noqa: PLC0415

    return read_text(path), read_page_text(path)


def paste(path: Path) -> object:
    return Clipboard.from_text(path.read_text("utf-8", "replace"))


def read_kept_settings(path: Path) -> object:
    """Read every setting that there is."""
    settings = Settings(path)
    return [settings.get(setting) for setting in KNOWN]
