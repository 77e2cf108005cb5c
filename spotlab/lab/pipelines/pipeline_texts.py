"""Reads pages through pipelines of binarisation and OCR, and keeps every text that has been read.

A folder of texts for every pipeline, a file for every page: what `spotlab consensus` reads, too. A
line of ``made.jsonl`` for every text says of which image, by what it was read, so that a run that
was killed goes on where it was, and a text of something else is not taken for it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from spotlab.compute import each_done
from spotlab.errors import BadInput, NotSaved, SpotlabError, reason
from spotlab.files import is_file, is_folder
from spotlab.formats.collection.folder import PageEntry
from spotlab.formats.rows.files import write_atomically
from spotlab.formats.rows.json_values import parse_json
from spotlab.formats.rows.numbers import natural
from spotlab.formats.votes.texts import SUFFIXES, read_text
from spotlab.imaging.ink import InkMethod, InkSettings, binarise
from spotlab.imaging.reading.pixels import read_page
from spotlab.progress import Progress, silent, track
from spotlab.representation import short_repr
from spotlab.spotting.page_entries import with_absolute_path
from spotlab.spotting.reading.text_reader import TextReader

MADE = "made.jsonl"


@dataclass(frozen=True)
class Pipeline:
    """Pipeline for reading pages.

    Attributes
    ----------
    name : str
    ink : InkSettings
    reader : TextReader
    language : str
        As the reader calls it; "" for its own default.
    """

    name: str
    ink: InkSettings
    reader: TextReader
    language: str = ""


@dataclass(frozen=True)
class ReadPages:
    """The texts of pages.

    Attributes
    ----------
    pipelines : tuple of Pipeline
    texts : mapping of str to mapping of str to str
        By page and pipeline; one that could not be read is missing.
    kept : int
        How many of them had been read before.
    problems : tuple of str
        What could not be read, and why, a line each.
    """

    pipelines: tuple[Pipeline, ...]
    texts: dict[str, dict[str, str]]
    kept: int = 0
    problems: tuple[str, ...] = ()

    __repr__ = short_repr


@dataclass(frozen=True)
class _ReadingTask:
    entry: PageEntry
    pipeline: Pipeline


@dataclass
class _Store:
    """The texts in a folder; nothing is kept without one."""

    folder: Path | None
    keys: dict[tuple[str, str], list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.folder is None or not is_file(self.folder / MADE):
            return
        for line in (self.folder / MADE).read_text("utf-8", "replace").splitlines():
            try:
                pipeline, page, *keys = parse_json(line)
                self.keys[pipeline, page] = keys
            # the line that was being written when all ended, or whatever else is there
            except (ValueError, TypeError):
                continue

    def text(self, task: _ReadingTask, key: str) -> str | None:
        """The text, if it has been read from the same image in the same way."""
        name = task.pipeline.name, task.entry.name
        kept = self.keys.get(name, [])
        if self.folder is None or kept[:1] != [key]:
            return None
        try:
            content = self._path(task).read_bytes()
            text = content.decode()
        except (OSError, ValueError):
            return None
        return text if kept[1:] in ([], [_digest(content)]) else None  # older folders have none

    def keep(self, task: _ReadingTask, key: str, text: str) -> None:
        if self.folder is None:
            return
        path = self._path(task)
        content = text.encode("utf-8", "replace")
        line = json.dumps([task.pipeline.name, task.entry.name, key, _digest(content)]) + "\n"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, content)
            with (self.folder / MADE).open("a", encoding="utf-8") as file:
                file.write(line)
        except OSError as error:
            raise NotSaved(f"{path} was not saved: {reason(error)}") from error

    def _path(self, task: _ReadingTask) -> Path:
        return Path(str(self.folder), task.pipeline.name, f"{task.entry.name}.txt")


def make_pipelines(
    inks: Sequence[InkMethod],
    readers: Sequence[TextReader],
    language: str = "",
    settings: InkSettings | None = None,
) -> tuple[Pipeline, ...]:
    """Every way to find ink before every engine; called after the ink where there is one engine.

    Parameters
    ----------
    inks : sequence of InkMethod
    readers : sequence of TextReader
    language : str
        As the readers call it; "" for their own default.
    settings : InkSettings, optional
        What else is said of ink, whatever the method.

    Examples
    --------
    >>> nobody = TextReader("nobody", "Nobody", lambda *_: "", lambda _: "", lambda: "")
    >>> [each.name for each in make_pipelines([InkMethod.OTSU, InkMethod.WOLF], [nobody])]
    ['otsu', 'wolf']
    """
    return tuple(
        Pipeline(
            f"{ink}" if len(readers) == 1 else f"{ink} {reader.name}",
            replace(settings or InkSettings(), method=ink),
            reader,
            language,
        )
        for reader in readers
        for ink in inks
    )


def read_pages(
    entries: Sequence[PageEntry],
    pipelines: Sequence[Pipeline],
    folder: Path | None = None,
    *,
    jobs: int = 1,
    cluster: str | None = None,
    progress: Progress = silent,
) -> ReadPages:
    """Read every page through every pipeline.

    Parameters
    ----------
    entries : sequence of PageEntry
        With different names.
    pipelines : sequence of Pipeline
        With different names.
    folder : Path, optional
        Where texts are kept, and taken from.
    jobs, cluster
        As in `spotlab.compute.executor`. Workers of a cluster need the same engines.

    Notes
    -----
    A page that cannot be read, by one pipeline or by all, is reported as a problem; reading
    goes on.
    """
    store = _Store(folder)
    versions = {each.reader.name: each.reader.version() for each in pipelines}
    texts: dict[str, dict[str, str]] = {entry.name: {} for entry in entries}
    tasks: list[tuple[_ReadingTask, str]] = []
    problems: list[str] = []
    kept = 0
    for entry in entries:
        try:
            content = _digest(entry.image.read_bytes())
        except OSError as error:
            problems.append(f"{entry.name}: {reason(error)}")
            continue
        for pipeline in pipelines:
            task = _ReadingTask(with_absolute_path(entry), pipeline)
            key = _key(task, content, versions[pipeline.reader.name])
            text = store.text(task, key)
            if text is None:
                tasks.append((task, key))
            else:
                texts[entry.name][pipeline.name] = text
                kept += 1
    keys = dict(tasks)
    for task, found in _read_all(list(keys), jobs, cluster, progress):
        name = task.pipeline.name
        if isinstance(found, SpotlabError):
            problems.append(f"{task.entry.name}, {name}: {found}")
        else:
            store.keep(task, keys[task], found)
            texts[task.entry.name][name] = found
    return ReadPages(tuple(pipelines), texts, kept, tuple(sorted(problems)))


def _read_all(
    tasks: Sequence[_ReadingTask], jobs: int, cluster: str | None, progress: Progress
) -> Iterator[tuple[_ReadingTask, str | SpotlabError]]:
    doing = "reading texts"
    if jobs == 1 and cluster is None:
        for done, task in enumerate(tasks):
            # an engine says nothing of how far it is, but asks whether to go on
            yield task, _read(task, lambda *_, done=done: progress(done, len(tasks), doing))
        progress(len(tasks), len(tasks), doing)
        return
    read = partial(_read, progress=silent)
    for number, found in each_done(read, tasks, jobs, cluster, progress, doing):
        yield tasks[number], found


def _read(task: _ReadingTask, progress: Progress) -> str | SpotlabError:
    """The text, or why there is none; an error would not say of which page it is."""
    pipeline = task.pipeline
    try:
        pixels = read_page(task.entry.image, task.entry.frame, progress)
        ink = binarise(pixels, pipeline.ink, progress)
        return pipeline.reader.read(ink, pipeline.language, progress)
    except SpotlabError as error:
        return error


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _key(task: _ReadingTask, content: str, version: str) -> str:
    """Return what a text depends on."""
    pipeline = task.pipeline
    parts = (content, task.entry.frame, pipeline.ink, pipeline.reader.name, version)
    return hashlib.sha256(repr((*parts, pipeline.language)).encode()).hexdigest()


def read_true_texts(
    paths: Sequence[Path], entries: Sequence[PageEntry], progress: Progress = silent
) -> dict[str, str]:
    """The true texts of pages.

    Parameters
    ----------
    paths : sequence of Path
        Text, PAGE and ALTO files, or folders of them; without any, the PAGE files beside the pages
        which have some text.
    entries : sequence of PageEntry
        The pages. A file is about one if it is called like it, with ``.gt`` or not, or names its
        image.

    Returns
    -------
    dict of str to str
        By page, or by the file's name where there is no such page.

    Raises
    ------
    BadInput
        A file cannot be read, or two are about the same page.
    """
    if not paths:
        beside = [(entry, entry.truth_path) for entry in entries if entry.has_truth]
        texts = ((entry.name, read_text(path)[1]) for entry, path in beside)
        return {name: text for name, text in texts if text.strip()}
    names = {entry.name for entry in entries}
    images = {entry.image.stem: entry.name for entry in entries}
    found: dict[str, str] = {}
    for path in track(_files(paths), progress, "reading true texts"):
        image, text = read_text(path)
        stem = path.stem.removesuffix(".gt")
        page = stem if stem in names else images.get(image, stem)
        if page in found:
            raise BadInput(path, f"there is a true text of {page} already", expected="one per page")
        found[page] = text
    if not found:
        raise BadInput(paths[0], "there is no text in it", expected="text, PAGE or ALTO files")
    return found


def _files(paths: Sequence[Path]) -> list[Path]:
    found: list[Path] = []
    for path in paths:
        inside = path.rglob("*") if is_folder(path) else [path]
        files = [file for file in inside if file.suffix.lower() in SUFFIXES and is_file(file)]
        found += sorted(files, key=lambda file: natural(str(file))) if is_folder(path) else [path]
    return found
