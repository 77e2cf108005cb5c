"""Ground truth: read from files or tables, as a table, and written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from spotlab.api import truth_table
from spotlab.api.arguments import PathLike, Paths, is_path, paths_of, unusable
from spotlab.api.summary import Summary, html_of, text_of
from spotlab.api.tables import Table, data_frame, is_table
from spotlab.errors import counted
from spotlab.formats.collection.detect import format_for
from spotlab.formats.collection.export import write_truths
from spotlab.model import Truth
from spotlab.model.region import labels_of
from spotlab.progress import Progress, silent
from spotlab.studies.tally.cluster import locate_truths
from spotlab.studies.tally.truth import TruthSet, changed_truths, read_truths
from spotlab.studies.words.word_truth import labelled_by_text

if TYPE_CHECKING:
    from pandas import DataFrame

TruthSource: TypeAlias = "GroundTruth | Paths | Table"

EXPECTED = (
    "a path, several paths, what read_truth gave, or a table with the columns page, label, points"
)


@dataclass(frozen=True, eq=False, repr=False)
class GroundTruth:
    """The ground truth of all pages of a collection; `read_truth` makes it.

    Attributes
    ----------
    truth_set : TruthSet
        The regions of each page by its name, and remarks on the files.
    """

    truth_set: TruthSet

    @property
    def pages(self) -> tuple[str, ...]:
        """The names of the pages that have truth."""
        return tuple(self.truth_set.truths)

    @property
    def labels(self) -> dict[str, int]:
        """How many regions each label has."""
        every = (region for truth in self.truth_set.truths.values() for region in truth.regions)
        return labels_of(every)

    @property
    def remarks(self) -> tuple[str, ...]:
        """What a person should know about the files, a line each."""
        return self.truth_set.remarks

    def __len__(self) -> int:
        return sum(len(truth.regions) for truth in self.truth_set.truths.values())

    def frame(self) -> DataFrame:
        """A row for each region.

        Returns
        -------
        DataFrame
            Columns page, label, points ((N, 2) float in px), id, primitive, uncertain, comment,
            text, area (px²), page_width and page_height (px). `read_truth` takes it back.

        Examples
        --------
        >>> from spotlab.resources import sample_collection
        >>> frame = read_truth(sample_collection()).frame()
        >>> frame.columns[:3].tolist(), len(frame)
        (['page', 'label', 'points'], 581)
        """
        return data_frame(truth_table.columns_of_truths(self.truth_set.truths.values()))

    @property
    def summary(self) -> Summary:
        """How many regions each label has."""
        labels = sorted(self.labels.items(), key=lambda each: -each[1])
        rows = tuple((name, f"{regions:,}") for name, regions in labels)
        title = f"Truth of {counted(len(self.pages), 'page')}: {counted(len(self), 'region')}"
        return Summary(title, ("label", "regions"), rows, self.remarks)

    __repr__ = text_of
    _repr_html_ = html_of


def read_truth(
    source: TruthSource,
    *,
    words: bool = False,
    texts: bool = False,
    images: PathLike | None = None,
    cluster: str | None = None,
    progress: Progress = silent,
) -> GroundTruth:
    """Read ground truth from files, folders or a table.

    Parameters
    ----------
    source : path, sequence of path, DataFrame or mapping
        Folders with PAGE XML beside the images, images, or truth files of any format that
        ``spotlab convert --formats`` lists. Or a table with a row for each region: page,
        label, points ((N, 2) float or "x,y x,y …", in px), and where they are known id, primitive,
        uncertain, comment, text, page_width and page_height (px).
    words : bool
        Of PAGE files, take the words as regions, labelled "word".
    texts : bool
        Take the words, labelled by what is written there, for runs of `spot_words`.
    images : path, optional
        Of a table without page sizes: the folder that has the images of its pages.
    cluster : str, optional
        Address of a Dask scheduler whose workers read the pages instead; they find them at the same
        paths. Each page is read again when it is asked for, so that memory holds none of them.
    progress : callable
        Told how far it is.

    Returns
    -------
    GroundTruth

    Raises
    ------
    SpotlabError
        Something cannot be read, two files are about one page, or there is no truth.

    Examples
    --------
    >>> from spotlab.resources import sample_collection
    >>> truth = read_truth(sample_collection())
    >>> len(truth.pages), len(truth), truth.labels["sofa"]
    (12, 581, 10)
    >>> table = {"page": ["plan"], "label": ["bed"], "points": ["5,5 25,5 25,40"],
    ...          "page_width": [200], "page_height": [100]}
    >>> print(read_truth(table))
    Truth of 1 page: 1 region
    label  regions
    bed          1
    """
    if isinstance(source, GroundTruth):
        return source
    if is_table(source):
        folder = None if images is None else Path(images)
        return GroundTruth(truth_table.truth_set_of(source, folder))
    if not is_path(source) and not isinstance(source, Iterable):
        raise unusable(source, "truth", EXPECTED)
    paths = paths_of(source, "truth", EXPECTED)
    change = labelled_by_text if texts else None
    if cluster is not None:
        return GroundTruth(
            locate_truths(paths, cluster, words=words or texts, change=change, progress=progress)
        )
    truth_set = read_truths(paths, words=words or texts, progress=progress)
    if change is not None:
        truth_set = replace(truth_set, truths=changed_truths(truth_set.truths, change))
    return GroundTruth(truth_set)


def write_truth(
    truth: TruthSource,
    path: PathLike,
    *,
    format: str | None = None,
    images: PathLike | None = None,
    overwrite: bool = False,
    progress: Progress = silent,
) -> list[Path]:
    """Write ground truth to a file or a folder, wholly or not at all.

    Parameters
    ----------
    truth : GroundTruth, DataFrame, mapping or path
        What `read_truth` gave or takes.
    path : path
        A file for a format that holds many pages, such as COCO; else a folder.
    format : str, optional
        "page", "coco", "labelme", "voc", "yolo", "yolo-seg", "yolo-obb", "cvat" or "label-studio";
        by default what the ending of the path says, and PAGE XML for a folder.
    images : path, optional
        Of a table without page sizes: the folder that has the images of its pages.
    overwrite : bool
        Replace files that are there.
    progress : callable
        Told how far it is.

    Returns
    -------
    list of Path
        The files.

    Raises
    ------
    SpotlabError
        A file is in the way, the format is unknown, or something cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> table = {"page": ["plan"], "label": ["bed"], "points": ["5,5 25,5 25,40"],
    ...          "page_width": [200], "page_height": [100]}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     [file.name for file in write_truth(table, folder)]
    ['plan.xml']
    """
    target = Path(path)
    truths = _pages_of(read_truth(truth, images=images, progress=progress))
    return write_truths(
        truths, target, format_for(target, format), set(), overwrite=overwrite, progress=progress
    )


def _pages_of(truth: GroundTruth) -> Sequence[Truth]:
    pages: Mapping[str, Truth] = truth.truth_set.truths
    return list(pages.values())
