"""Writes pages that are at hand in any format, and says beforehand what will be lost."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from spotlab.errors import BadInput, InTheWay, NotSaved, counted, reason
from spotlab.files import is_file, is_folder, is_missing
from spotlab.formats.collection.dataset import Dataset, Images, make_folder, parts_of, write_dataset
from spotlab.formats.collection.fitting import fit
from spotlab.formats.collection.folder import PageEntry, named_like
from spotlab.formats.collection.label_file import read_labels
from spotlab.formats.rows.json_values import load_json
from spotlab.formats.rows.reading import Finding
from spotlab.formats.truth import page_xml
from spotlab.formats.truth.format import Format, page_file
from spotlab.model import Truth
from spotlab.progress import Progress, silent, track
from spotlab.trust import own_file


@dataclass(frozen=True)
class ExportSelection:
    """Selection of pages and labels for an export.

    Attributes
    ----------
    checked : bool
        Only pages that are marked as checked.
    labels : frozenset of str or None
        Only regions of these labels, "" for those without; None for all.
    """

    checked: bool = False
    labels: frozenset[str] | None = None


EVERYTHING = ExportSelection()


def select(truths: Sequence[Truth], selection: ExportSelection) -> tuple[list[Truth], list[str]]:
    """Take what is selected, and say what is left out.

    Parameters
    ----------
    truths : sequence of Truth
    selection : ExportSelection

    Returns
    -------
    truths : list of Truth
        Without other regions and other labels. A page without regions stays.
    remarks : list of str
        A line each for pages, regions and labels that were asked for and are not there.

    Examples
    --------
    >>> from pathlib import Path
    >>> from spotlab.model import Page, Region
    >>> regions = [Region(((0, 0), (9, 0), (9, 9)), label) for label in ("sofa", "bed")]
    >>> truth = Truth(Page(Path("a.png"), 9, 9), tuple(regions))
    >>> [one], remarks = select([truth], ExportSelection(labels=frozenset({"bed", "sink"})))
    >>> [region.label for region in one.regions], remarks
    (['bed'], ['1 region of other labels was left out', "no region has the label 'sink'"])
    """
    taken = [truth for truth in truths if truth.page.checked or not selection.checked]
    remarks = []
    if len(taken) < len(truths):
        count = len(truths) - len(taken)
        remarks.append(f"{_were(count, 'page')} that are not marked as checked".replace(
            "1 page was left out that are", "1 page was left out that is"))  # fmt: skip
    if selection.labels is None:
        return taken, remarks
    kept = [_with_labels_only(truth, selection.labels) for truth in taken]
    count = sum(len(truth.regions) for truth in taken) - sum(len(truth.regions) for truth in kept)
    if count:
        remarks.append(f"{counted(count, 'region')} of other labels "
                       f"{'were' if count > 1 else 'was'} left out")  # fmt: skip
    used = {region.label for truth in taken for region in truth.regions}
    remarks += [f"no region has the label {name!r}" for name in sorted(selection.labels - used)]
    return kept, remarks


def _were(count: int, noun: str) -> str:
    return f"{count:,} {noun}s were left out" if count > 1 else f"1 {noun} was left out"


def _with_labels_only(truth: Truth, names: frozenset[str]) -> Truth:
    regions = tuple(region for region in truth.regions if region.label in names)
    return replace(truth, regions=regions)  # its labels stay, and with them the class numbers


@dataclass(frozen=True)
class Converted:
    """Result of a conversion.

    Attributes
    ----------
    format : Format
        What was written.
    pages, regions : int
    remarks : tuple of str
        What was passed over when reading, and what the format has no place for; a line each.
    findings : tuple of Finding
        What was not read, or not as it stands; ``remarks`` has them as lines, too.
    files : tuple of Path
        What was written.
    """

    format: Format
    pages: int
    regions: int
    remarks: tuple[str, ...]
    findings: tuple[Finding, ...] = ()
    files: tuple[Path, ...] = ()


@dataclass(frozen=True)
class ExportChoice:
    """Contents of an export and its format.

    Attributes
    ----------
    dataset : Dataset
        Format, parts and images.
    selection : ExportSelection
        Pages and labels.
    """

    dataset: Dataset
    selection: ExportSelection = EVERYTHING


@dataclass(frozen=True)
class Preview:
    """Preview of an export.

    Attributes
    ----------
    parts : dict of str to int
        How many pages each part has; "" without parts.
    regions : int
    left_out, losses : tuple of str
        What is not selected, and what the format has no place for; a line each.
    """

    parts: dict[str, int]
    regions: int
    left_out: tuple[str, ...]
    losses: tuple[str, ...]


def preview(truths: Sequence[Truth], choice: ExportChoice, _progress: Progress = silent) -> Preview:
    """Say what an export would write and what would be lost."""
    chosen, left_out = select(truths, choice.selection)
    parts = {part: len(pages) for part, pages in parts_of(chosen, choice.dataset.split).items()}
    fitted, losses = fit_to(chosen, choice.dataset)
    regions = sum(len(truth.regions) for truth in fitted)
    return Preview(parts, regions, tuple(left_out), tuple(losses))


def export(
    truths: Sequence[Truth],
    target: Path,
    choice: ExportChoice,
    sources: Set[Path] = frozenset(),
    *,
    overwrite: bool = False,
    progress: Progress = silent,
) -> Converted:
    """Write what is chosen of some pages, wholly or not at all.

    Parameters
    ----------
    truths : sequence of Truth
    target : Path
        A file, or a folder; made if it is not there.
    choice : ExportChoice
    sources : set of Path
        Files that the pages were read from, which only PAGE is written back to.
    overwrite : bool
        Replace files that are there, or an earlier data set.
    progress : Progress

    Raises
    ------
    BadInput
        Two pages would get the same file.
    InTheWay
        Files are there already.
    NotSaved
        Something could not be written.
    """
    dataset = choice.dataset
    chosen, remarks = select(truths, choice.selection)
    chosen, losses = fit_to(chosen, dataset)
    remarks += losses
    if dataset.is_folder:
        files = write_dataset(chosen, target, dataset, overwrite=overwrite, progress=progress)
    else:
        files = _write_truths(
            chosen, target, dataset.format, sources, overwrite=overwrite, progress=progress
        )
    count = sum(len(truth.regions) for truth in chosen)
    return Converted(dataset.format, len(chosen), count, tuple(remarks), files=tuple(files))


def read_entries(
    entries: Sequence[PageEntry], folder: Path | None, progress: Progress = silent
) -> list[Truth]:
    """The truth of pages of a collection, those without any left out, with all of its labels.

    Parameters
    ----------
    entries : sequence of PageEntry
    folder : Path or None
        The collection's, which has its labels.
    progress : Progress

    Raises
    ------
    BadInput
        A truth file cannot be read.
    """
    truths = []
    there = [each for each in entries if is_file(each.truth_path)]  # or drawn since the listing
    for entry in track(there, progress, "reading truth"):
        truths.append(named_like(page_xml.read(entry.truth_path), entry))
    return truths if folder is None else with_labels(truths, folder)


def fit_to(truths: Sequence[Truth], dataset: Dataset) -> tuple[list[Truth], list[str]]:
    """Fit pages to a data set: see `fit`. A line more says where images have to go."""
    format = dataset.format
    if dataset.images is not Images.NONE:  # each page becomes an image file of its own
        holds = replace(format.holds, frames=True)
        fitted, lines = fit(truths, replace(format, holds=holds))
    else:
        fitted, lines = fit(truths, format)
    if format.needs_images and dataset.images is Images.NONE:
        folder = dataset.image_folder("train" if dataset.split else "")
        where = f"in {folder}" if folder else "beside the files"
        lines.append(f"images are needed {where} and are not copied or linked")
    return fitted, [f"{format.title}: {line}" for line in lines]


def with_labels(truths: Sequence[Truth], source: Path) -> list[Truth]:
    """The pages with the labels of the whole collection, in the order of its label list.

    What numbers labels by their place then does so alike at every export, whichever are used.
    """
    labels = read_labels(source if is_folder(source) else source.parent)
    if not len(labels):
        return list(truths)
    used = {region.label for truth in truths for region in truth.regions}
    numbered = [label.name for truth in truths for label in truth.labels]
    for name in [*numbered, *sorted(used - set(numbered))]:
        labels = labels.with_label(name)
    for truth in truths:
        labels = labels.numbered_like(truth.labels)
    return [replace(truth, labels=labels) for truth in truths]


def _write_truths(
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
        Two pages would get the same file.
    InTheWay
        Files are there already.
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
        if not (overwrite or is_missing(target)):
            raise InTheWay(target, "the file already exists")
        make_folder(target.parent)
        format.write(truths, target, progress)  # atomic in itself
        return files
    _check_free(files, target, sources if format.name != "page" else set(), overwrite)
    made = [made for file in (target / "any", *files) for made in make_folder(file.parent)]
    step = Replacing(target, files)
    try:
        format.write(truths, target, progress)
    except BaseException:
        step.take_back()
        for folder in sorted(made, reverse=True):
            folder.rmdir()
        raise
    step.finish()
    return files


def _check_free(files: Sequence[Path], target: Path, sources: Set[Path], overwrite: bool) -> None:
    """Raise if files are in the way."""
    there = [file for file in files if not is_missing(file)]
    own = [file for file in there if file.resolve() in sources]
    if overwrite and own:
        raise BadInput(own[0], "the target is the source itself", expected="another folder")
    if overwrite:
        return
    several = f", and {len(there) - 1} more" if len(there) > 1 else ""
    asked = unfinished(target)
    if asked is not None:
        problem = (
            f"an earlier conversion to this folder was interrupted: {len(there)} of {asked} files"
        )
        raise InTheWay(target, f"{problem} are there")
    if there:
        raise InTheWay(there[0], f"the file already exists{several}")


def _targets(truths: Sequence[Truth], target: Path, format: Format) -> list[Path]:
    """The files that will be written.

    Raises
    ------
    BadInput
        One file cannot hold all pages, or two pages would get the same.
    """
    if format.many_pages:
        if is_folder(target):
            raise BadInput(target, "this is a folder", expected=f"a {format.suffixes[0]} file")
        return [target]
    owners: dict[Path, Path] = {}
    for truth in truths:
        if format is page_xml.FORMAT:
            file = page_xml.file_of(target, truth)
        else:
            file = page_file(target, truth, format.suffixes[0])
        if file in owners:
            problem = f"{owners[file]} and {truth.page.image} would be written to the same file"
            expected = "a folder, and pages of different names"
            raise BadInput(file, problem, expected=expected)
        owners[file] = truth.page.image
    return list(owners)


WRITING = ".spotlab-writing"
_FILES_WRITTEN = "files.json"


def unfinished(folder: Path) -> int | None:
    """Tell how many files an earlier step was to write that did not end.

    None where there was none.
    """
    if not is_folder(folder / WRITING):
        return None
    with suppress(BadInput):
        names = load_json(folder / WRITING / _FILES_WRITTEN, "a list")
        return len(names) if isinstance(names, list) else 0
    return 0


class Replacing:
    """One step on files of a folder, which is there: all are new, or all are as they were.

    While it is under way a hidden folder beside them has the list of the files and what stood in
    their place. After a kill it is still there and tells that the folder is half-written.

    Parameters
    ----------
    folder : Path
    files : sequence of Path
        In it, that will be written.

    Raises
    ------
    NotSaved
        The folder cannot be written.
    BadInput
        There is a link that leads out of the folder in place of the hidden one.
    """

    def __init__(self, folder: Path, files: Sequence[Path]) -> None:
        self._state = folder / WRITING
        self._files = files
        try:
            own_file(self._state).mkdir(exist_ok=True)
            names = [os.path.relpath(file, folder) for file in files]
            # `write_atomically` would fail where names cannot be encoded
            (self._state / _FILES_WRITTEN).write_text(json.dumps(names), "utf-8")
            for number, file in enumerate(files):
                old = self._old(number)
                if not is_missing(file) and is_missing(old):  # else an earlier step has kept it
                    shutil.copy2(file, old)
        except OSError as error:
            raise NotSaved(f"{folder} cannot be written: {reason(error)}") from error

    def finish(self) -> None:
        """All files are written."""
        shutil.rmtree(self._state, ignore_errors=True)

    def take_back(self) -> None:
        """Put back what was there before, and delete what was not.

        Where that fails, what was there stays in its place beside the files.
        """
        failed = False
        for number, file in enumerate(self._files):
            try:
                if is_missing(self._old(number)):
                    file.unlink(missing_ok=True)
                else:
                    os.replace(self._old(number), file)
            except (OSError, BadInput):
                failed = True
        if not failed:
            self.finish()

    def _old(self, number: int) -> Path:
        return self._state / f"{number}.old"
