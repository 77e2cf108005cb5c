"""Converts truth files of any format into any other that can be written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from spotlab.errors import BadInput
from spotlab.files import is_file
from spotlab.formats.collection.dataset import Dataset, Images, Split
from spotlab.formats.collection.detect import format_for, known_formats
from spotlab.formats.collection.export import (
    EVERYTHING,
    Converted,
    ExportChoice,
    ExportSelection,
    export,
    select,
    with_labels,
)
from spotlab.formats.collection.page_names import with_names_apart
from spotlab.formats.collection.truth_files import (
    FiledTruth,
    TruthListing,
    image_finder,
    list_truths,
    one_truth_each,
)
from spotlab.formats.page.images import ImageIndex
from spotlab.formats.page.read import WORD_LABEL
from spotlab.formats.rows.reading import Consequence, Reading
from spotlab.formats.truth import page_xml
from spotlab.model import LabelSet, Truth
from spotlab.progress import Progress, silent, track


def convert(
    source: Path | Sequence[Path],
    target: Path,
    format_name: str | None = None,
    progress: Progress = silent,
    *,
    words: bool = False,
    lines: bool = False,
    blocks: bool = False,
    file_group: str = "",
    annotator: str = "",
    labels_as_words: bool = False,
    selection: ExportSelection = EVERYTHING,
    split: Split | None = None,
    images: Images = Images.NONE,
    overwrite: bool = False,
    strict: bool = False,
    look_in: Path | None = None,
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
    words, lines, blocks : bool
        Take words, lines of text or blocks of text, instead of what the format is made for; of
        PAGE files blocks are the regions.
    file_group : str
        Of METS files, the file group to read; by default the one with the ground truth.
    annotator : str
        Of files with the work of several annotators, the one whose work to read.
    labels_as_words : bool
        Labels are what is written, as in boxes of words by programs that know labels only: each
        becomes the text of its region, which is a word then. A region that has a text is left as
        it is.
    selection : ExportSelection
        Which pages and labels to take.
    split : Split, optional
        Divide the pages into parts for training, validation and test.
    images : Images
        Whether to copy or link the images into the target, a folder then.
    overwrite : bool
        Replace files that are in the folder, those of a half-written one too.
    strict : bool
        Raise the error of the first item that cannot be read, instead of leaving it out.
    look_in : Path, optional
        A folder in which images are looked for that are not found beside their truth.

    Raises
    ------
    BadInput
        Nothing can be read, two pages would get the same file, or files are in the way.
    NotSaved
        Something could not be written.
    """
    format = format_for(
        target, format_name, is_folder=split is not None or images is not Images.NONE
    )
    dataset = Dataset(format, split, images)
    given = [source] if isinstance(source, Path) else list(source)
    reading = Reading(
        words=words, lines=lines, blocks=blocks, file_group=file_group, annotator=annotator,
        strict=strict,
    )  # fmt: skip
    if look_in is not None:
        reading = replace(reading, find_image=ImageIndex(look_in).find)
    with TemporaryDirectory(prefix="spotlab-") as made:
        if images is Images.COPY:
            reading = replace(reading, image_folder=Path(made))
        listing = list_truths(given, reading)
        files = listing.files
        if not files:
            suffixes = {suffix for known in known_formats().values() for suffix in known.suffixes}
            problem = f"it has no truth files{listing.skipped}"
            raise BadInput(given[0], problem, expected=", ".join(sorted(suffixes)))
        read: list[FiledTruth] = []
        indexes: dict[Path, ImageIndex] = {}
        for file in track(files, progress, "reading"):
            inside = reading.apart()
            try:
                of_file = file.read(image_finder(file, inside, indexes))
            except BadInput as error:
                if len(files) == 1:
                    raise
                reading.leave_out(error)
                continue
            read += [FiledTruth(file, truth) for truth in of_file]
            for finding in inside.findings:
                # PAGE that is written as PAGE keeps all that it holds
                if finding.kind is Consequence.LEFT_OUT or not (
                    file.format == format.name == page_xml.FORMAT.name
                ):
                    reading.findings.add(finding)
        truths = [each.truth for each in one_truth_each(read, reading)]
        if not truths and reading.findings.first_error is not None:
            raise reading.findings.first_error
        if images is not Images.COPY:
            truths = [_outside(truth, listing, dataset) for truth in truths]
        truths = with_names_apart(truths)
        findings, remarks = tuple(reading.findings), list(listing.remarks)
        if labels_as_words:
            truths, left_out = select(truths, selection)
            remarks += left_out
            truths, selection = [_as_words(truth) for truth in truths], EVERYTHING
        if format.many_pages or dataset.is_folder:
            truths = with_labels(truths, given[0])
        choice = ExportChoice(dataset, selection)
        sources = {file.path.resolve() for file in files}
        done = export(truths, target, choice, sources, overwrite=overwrite, progress=progress)
        return replace(
            done, remarks=(*remarks, *map(str, findings), *done.remarks), findings=findings
        )


def _outside(truth: Truth, listing: TruthListing, dataset: Dataset) -> Truth:
    """The truth with an image that is missing in an archive beside the archive.

    Raises
    ------
    BadInput
        The image is in the archive, and what is written would name it in the user's cache.
    """
    image = truth.page.image
    for folder, archive in listing.unpacked.items():
        if not image.is_relative_to(folder):
            continue
        if not is_file(image):
            place = archive.parent / image.relative_to(folder)
            return replace(truth, page=replace(truth.page, image=place))
        if dataset.images is Images.LINK or dataset.format.layout is None:
            problem = f"{image.name} is in the archive, where nothing that is written can name it"
            raise BadInput(archive, problem, expected=_COPIED)
    return truth


_COPIED = "images that are copied (--images copy), or the archive unpacked before"


def _as_words(truth: Truth) -> Truth:
    regions = [
        region if region.text or not region.label
        else replace(region, text=region.label, label=WORD_LABEL)
        for region in truth.regions
    ]  # fmt: skip
    return replace(truth, regions=tuple(regions), labels=LabelSet())
