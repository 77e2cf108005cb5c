"""Converts truth files of any format into any other that can be written."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path

from spotlab.errors import BadInput
from spotlab.formats.rows.file_content import read_bytes
from spotlab.formats.rows.replacing import Replacing, unfinished
from spotlab.formats.truth import mets, page_xml
from spotlab.formats.truth.dataset import Dataset, make_folder, write_dataset
from spotlab.formats.truth.detect import format_for, format_of, known_formats, truth_files_in
from spotlab.formats.truth.format import Format, page_file
from spotlab.formats.truth.label_file import read_labels
from spotlab.formats.truth.page_images import Images
from spotlab.formats.truth.selection import EVERYTHING, Selection, select
from spotlab.formats.truth.splitting import Split
from spotlab.model import Truth
from spotlab.progress import Progress, silent, track


@dataclass(frozen=True)
class Converted:
    """What a conversion did.

    Attributes
    ----------
    format : Format
        What was written.
    pages, regions : int
    remarks : tuple of str
        What was passed over when reading, and what the format has no place for; a line each.
    """

    format: Format
    pages: int
    regions: int
    remarks: tuple[str, ...]


def convert(
    source: Path | Sequence[Path],
    target: Path,
    format_name: str | None = None,
    progress: Progress = silent,
    *,
    words: bool = False,
    lines: bool = False,
    file_group: str = "",
    selection: Selection = EVERYTHING,
    split: Split | None = None,
    images: Images = Images.NONE,
    overwrite: bool = False,
) -> Converted:
    """Convert a file, several, or all in a folder; nothing is left behind if that fails.

    If it is killed, the next one says that the folder is half-written.

    Parameters
    ----------
    source : Path or sequence of Path
        A file, several files, or a folder with all folders in it.
    target : Path
        A file, or a folder; made if it is not there.
    format_name : str, optional
        What to write; by default the target's suffix says it.
    words, lines : bool
        Of PAGE files, take words, or lines of text, or both, instead of the regions.
    file_group : str
        Of METS files, the file group to read; by default the one with the ground truth.
    selection : Selection
        Which pages and labels to take.
    split : Split, optional
        Divide the pages into parts for training, validation and test.
    images : Images
        Whether to copy or link the images into the target, a folder then.
    overwrite : bool
        Replace files that are in the folder, those of a half-written one too.

    Raises
    ------
    BadInput
        Something cannot be read, two pages would get the same file, or files are in the way.
    NotSaved
        Something could not be written.
    """
    format = format_for(target, format_name, is_folder=split is not None or images.value != "none")
    dataset = Dataset(format, split, images)
    given = [source] if isinstance(source, Path) else list(source)
    files: list[tuple[Path, Format]] = []
    remarks: list[str] = []
    for path in given:
        its_files, its_remarks = _files(path)
        files += its_files
        remarks += its_remarks
    truths: list[Truth] = []
    for file, its_format in track(files, progress, "reading"):
        if its_format is page_xml.FORMAT and (words or lines):
            content = read_bytes(file)
            truths.append(page_xml.parse(content, file, words=words, lines=lines, texts_only=False))
            remarks += page_xml.passed_over(file, words=words, lines=lines)
            continue
        if its_format is mets.FORMAT:
            truths += mets.read_group(file, file_group, silent)
            remarks += mets.passed_over(file, file_group)
            continue
        truths += its_format.read(file, silent)
        # PAGE that is written as PAGE keeps all that it holds
        if its_format.passed_over is not None and not its_format is format is page_xml.FORMAT:
            remarks += its_format.passed_over(file)
    if format.many_pages or dataset.is_folder:
        truths = with_labels(truths, given[0])
    truths, left_out = select(truths, selection)
    remarks += left_out
    remarks += losses_of(truths, dataset)
    sources = {file.resolve() for file, _ in files}
    if dataset.is_folder:
        write_dataset(truths, target, dataset, overwrite=overwrite, progress=progress)
    else:
        write_truths(truths, target, format, sources, overwrite=overwrite, progress=progress)
    count = sum(len(truth.regions) for truth in truths)
    return Converted(format, len(truths), count, tuple(remarks))


def losses_of(truths: Sequence[Truth], dataset: Dataset) -> list[str]:
    """What the format has no place for, and where images have to go; a line each."""
    format = dataset.format
    lines = [] if format.losses is None else format.losses(truths)
    if format.layout is not None and format.layout.needs_images and dataset.images == "none":
        folder = dataset.image_folder("train" if dataset.split else "")
        lines.append(f"images are needed in {folder} and are not copied or linked")
    return [f"{format.title}: {line}" for line in lines]


def with_labels(truths: Sequence[Truth], source: Path) -> list[Truth]:
    """The pages with the labels of the whole collection, in the order of its label list.

    What numbers labels by their place then does so alike at every export, whichever are used.
    """
    labels = read_labels(source if source.is_dir() else source.parent)
    if not len(labels):
        return list(truths)
    used = {region.label for truth in truths for region in truth.regions}
    for name in sorted(used | {label.name for truth in truths for label in truth.labels}):
        labels = labels.with_label(name)
    return [replace(truth, labels=labels) for truth in truths]


def _files(source: Path) -> tuple[list[tuple[Path, Format]], list[str]]:
    """The truth files in the source, and remarks on those of no known format."""
    if not source.is_dir():
        return [(source, format_of(source))], []
    found, remarks = truth_files_in(source)
    if not found:
        suffixes = {suffix for format in known_formats().values() for suffix in format.suffixes}
        raise BadInput(source, "it has no truth files", expected=", ".join(suffixes))
    return found, remarks


def write_truths(
    truths: Sequence[Truth],
    target: Path,
    format: Format,
    sources: Set[Path],
    *,
    overwrite: bool = False,
    progress: Progress = silent,
) -> list[Path]:
    """Write all files, or none.

    Parameters
    ----------
    truths : sequence of Truth
        The pages.
    target : Path
        A file, or a folder; made if it is not there.
    format : Format
        One that can be written, as `format_for` gives it.
    sources : set of Path
        Files that the pages were read from, which only PAGE is written back to.
    overwrite : bool
        Replace files that are there.
    progress : Progress

    Returns
    -------
    list of Path
        The files.

    Raises
    ------
    BadInput
        Two pages would get the same file, or files are in the way.
    NotSaved
        Something could not be written.
    """
    assert format.write is not None  # format_for only gives those
    if format.layout is not None:
        return write_dataset(
            truths, target, Dataset(format), overwrite=overwrite, progress=progress
        )
    files = _targets(truths, target, format)
    if target in files:
        if target.resolve() in sources and format.name != "page":
            raise BadInput(target, "the target is the source itself", expected="another file")
        make_folder(target.parent)
        format.write(truths, target, progress)  # atomic in itself
        return files
    _check_free(files, target, sources if format.name != "page" else set(), overwrite)
    made = make_folder(target)
    step = Replacing(target, files)
    try:
        format.write(truths, target, progress)
    except BaseException:
        step.take_back()
        for folder in made:
            folder.rmdir()
        raise
    step.finish()
    return files


def _check_free(files: Sequence[Path], target: Path, sources: Set[Path], overwrite: bool) -> None:
    """Raise if files are in the way."""
    there = [file for file in files if file.exists()]
    own = [file for file in there if file.resolve() in sources]
    if overwrite and own:
        raise BadInput(own[0], "the target is the source itself", expected="another folder")
    if overwrite:
        return
    several = f", and {len(there) - 1} more" if len(there) > 1 else ""
    expected = "a folder without these files, or --overwrite"
    asked = unfinished(target)
    if asked is not None:
        problem = (
            f"an earlier conversion to this folder was interrupted: {len(there)} of {asked} files"
        )
        raise BadInput(target, f"{problem} are there", expected="another folder, or --overwrite")
    if there:
        raise BadInput(there[0], f"the file already exists{several}", expected=expected)


def _targets(truths: Sequence[Truth], target: Path, format: Format) -> list[Path]:
    """The files that will be written.

    Raises
    ------
    BadInput
        One file cannot hold all pages, or two pages would get the same.
    """
    if format.many_pages:
        if target.is_dir():
            raise BadInput(target, "this is a folder", expected=f"a {format.suffixes[0]} file")
        return [target]
    owners: dict[Path, Path] = {}
    for truth in truths:
        file = page_file(target, truth, format.suffixes[0])
        if file in owners:
            problem = f"{owners[file]} and {truth.page.image} would be written to the same file"
            expected = "a folder, and pages of different names"
            raise BadInput(file, problem, expected=expected)
        owners[file] = truth.page.image
    return list(owners)
