"""Ground truth: read from files or tables, as a table, and written."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from spotlab.api.arguments import (
    ResultSummary,
    Table,
    cell_text,
    columns_of,
    data_frame,
    html_of,
    is_path,
    is_table,
    only_name,
    paths_of,
    ring_of_shape,
    text_of,
)
from spotlab.api.job import checked, unusable
from spotlab.errors import BadArgument, BadInput, BadLines, SpotlabError, UnknownName, counted
from spotlab.files import PathLike, Paths, is_file
from spotlab.formats.collection.dataset import Dataset
from spotlab.formats.collection.detect import format_for
from spotlab.formats.collection.export import ExportChoice, export
from spotlab.formats.collection.folder import scan
from spotlab.formats.collection.page_names import PageNames, with_names_apart
from spotlab.formats.rows.reading import Finding
from spotlab.formats.runs.format import find_roles
from spotlab.formats.runs.outline_columns import box_points_of, check_points, parse_point_list
from spotlab.imaging.reading.pixels import IMAGE_SUFFIXES, read_header
from spotlab.model import Attributes, Ignore, Page, Primitive, Region, Truth
from spotlab.model.region import labels_of
from spotlab.progress import Progress, silent
from spotlab.studies.tally.cluster import locate_truths
from spotlab.studies.tally.truth import TruthSet, read_truths
from spotlab.studies.words.word_truth import labelled_by_text, with_one_spelling, with_text_labels

if TYPE_CHECKING:
    from pandas import DataFrame
    from PIL.Image import Image

TruthSource: TypeAlias = "GroundTruth | Paths | Table"

EXPECTED = (
    "a path, several paths, what read_truth gave, or a table with the columns page, label, points"
)


@dataclass(frozen=True, eq=False, repr=False)
class GroundTruth(Mapping[str, "GroundTruth"]):
    """The ground truth of all pages of a collection; `read_truth` makes it.

    It is a mapping of the names of pages to the truth of each: ``truth["plan_001"]``.

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
        """Tell how many regions each label has."""
        every = (region for truth in self.truth_set.truths.values() for region in truth.regions)
        return labels_of(every)

    @property
    def remarks(self) -> tuple[str, ...]:
        """Return what a person should know about the files, a line each."""
        return self.truth_set.remarks

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Items of the files that were not read, or not as they stand."""
        return self.truth_set.findings

    @property
    def regions(self) -> int:
        """Number of regions on all pages."""
        return sum(len(truth.regions) for truth in self.truth_set.truths.values())

    def __len__(self) -> int:
        return len(self.truth_set.truths)

    def __iter__(self) -> Iterator[str]:
        return iter(self.truth_set.truths)

    def __getitem__(self, page: str) -> GroundTruth:
        pages = self.truth_set.truths
        found = PageNames(dict.fromkeys(pages)).meant(page) if isinstance(page, str) else []
        if len(found) != 1:
            raise UnknownName.among(page, "page", list(pages))
        return GroundTruth(replace(self.truth_set, truths={found[0]: pages[found[0]]}))

    def show(self, page: str | None = None) -> Image:
        """Draw a page with its regions.

        Parameters
        ----------
        page : str, optional
            Its name; may be left out where there is one page.

        Returns
        -------
        PIL.Image.Image
            A notebook shows it; ``save`` writes it. White where the image is missing.

        Examples
        --------
        >>> from spotlab.resources import sample_collection
        >>> read_truth(sample_collection())["plan_001"].show().size
        (960, 660)
        """
        from spotlab.report.images import draw_truth  # noqa: PLC0415 - takes a second

        name = only_name(page, self, "page")
        return draw_truth(self[name].truth_set.truths, self.truth_set.labels)

    def frame(self) -> DataFrame:
        """A row for each region.

        Returns
        -------
        DataFrame
            Columns page, label, points ((N, 2) float in px), id, primitive, uncertain, comment,
            text, ignore, attributes (a dict each), area (px²), page_width and page_height (px).
            `read_truth` takes it back.

        Examples
        --------
        >>> from spotlab.resources import sample_collection
        >>> frame = read_truth(sample_collection()).frame()
        >>> frame.columns[:3].tolist(), len(frame)
        (['page', 'label', 'points'], 581)
        """
        return data_frame(columns_of_truths(self.truth_set.truths.values()))

    @property
    def summary(self) -> ResultSummary:
        """Tell how many regions each label has."""
        labels = sorted(self.labels.items(), key=lambda each: -each[1])
        rows = tuple((name, f"{regions:,}") for name, regions in labels)
        title = f"Truth of {counted(len(self.pages), 'page')}: {counted(self.regions, 'region')}"
        return ResultSummary(title, ("label", "regions"), rows, self.remarks)

    __repr__ = text_of
    _repr_html_ = html_of


@checked
def read_truth(
    source: TruthSource,
    *,
    words: bool = False,
    texts: bool = False,
    images: PathLike | None = None,
    file_group: str | None = None,
    annotator: str | None = None,
    strict: bool = False,
    cluster: str | None = None,
    progress: Progress = silent,
) -> GroundTruth:
    """Read ground truth from files, folders or a table.

    A region in a file or a file in a folder that cannot be read is left out, and is one of the
    `findings` of the result.

    Parameters
    ----------
    source : path, sequence of path, DataFrame, mapping or list of mapping
        Folders with PAGE XML beside the images, images, or truth files of any format that
        ``spotlab convert --formats`` lists. Or a table with a row for each region: page,
        label, points ((N, 2) float, "x,y x,y …" or a polygon of shapely, in px) or a box under the
        names that detectors use, such as xyxy or xywh, and where they are known id, primitive,
        uncertain, comment, text, ignore, attributes (a dict, or a JSON object as text), page_width
        and page_height (px).
    words : bool
        Take the words as regions, labelled "word"; regions that have a text, in formats without
        words.
    texts : bool
        Take the words, labelled by what is written there, for runs of `spot_words`. Of lines whose
        words have no place of their own, these are estimated: a spot there is at its word, others
        in a line that has the word are left out and counted.
    images : path, optional
        Of a table without page sizes: the folder that has the images of its pages.
    file_group : str, optional
        Of METS files, the file group to read. [default: the ground truth]
    annotator : str, optional
        Of files with the work of several annotators, such as exports of Label Studio: the one whose
        work to read. [default: the latest of each page]
    strict : bool
        Raise an error where anything in the files cannot be read.
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
        A path cannot be read, two files are about one page, or there is no truth.

    Examples
    --------
    >>> from spotlab.resources import sample_collection
    >>> truth = read_truth(sample_collection())
    >>> len(truth), truth.regions, truth.labels["sofa"]
    (12, 581, 10)
    >>> truth["plan_001"].regions
    45
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
        return GroundTruth(truth_set_of(source, folder))
    if not is_path(source) and not isinstance(source, Iterable):
        raise unusable(source, "truth", EXPECTED)
    paths = paths_of(source, "truth", EXPECTED)
    if cluster is not None:
        if annotator:
            raise SpotlabError(
                "a cluster cannot read one annotator of several: convert that one's work first"
            )
        located = locate_truths(
            paths, cluster, words=words or texts, strict=strict,
            change=labelled_by_text if texts else None, progress=progress,
        )  # fmt: skip
        return GroundTruth(with_one_spelling(located, paths[0]) if texts else located)
    truth_set = read_truths(
        paths,
        words=words or texts,
        lines=texts,
        file_group=file_group or "",
        annotator=annotator or "",
        strict=strict,
        progress=progress,
    )
    return GroundTruth(with_text_labels(truth_set, paths[0]) if texts else truth_set)


@checked
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

    What the format cannot hold is a warning each: what is lost, and of how many regions.

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
    choice = ExportChoice(Dataset(format_for(target, format)))
    done = export(truths, target, choice, overwrite=overwrite, progress=progress)
    for remark in done.remarks:
        warnings.warn(remark, stacklevel=2)
    return list(done.files)


def _pages_of(truth: GroundTruth) -> Sequence[Truth]:
    pages: Mapping[str, Truth] = truth.truth_set.truths
    return list(pages.values())


NEEDED = ("page", "label", "points")
TEXTS = ("comment", "text")
ADVICE = "mend these rows, or leave them out"


def columns_of_truths(truths: Iterable[Truth]) -> dict[str, list[Any]]:
    """The regions of all pages as columns.

    Parameters
    ----------
    truths : iterable of Truth

    Returns
    -------
    dict of str to list
        page, label, points ((N, 2) float in px), id, primitive, uncertain, comment, text, ignore
        ("no", "symbol" or "area"), attributes (a dict each), area (px²), page_width and page_height
        (px).
    """
    rows = [(truth.page, region) for truth in truths for region in truth.regions]
    return {
        "page": [page.name for page, _ in rows],
        "label": [region.label for _, region in rows],
        "points": [region.array for _, region in rows],
        "id": [region.id for _, region in rows],
        "primitive": [str(region.primitive) for _, region in rows],
        "uncertain": [region.uncertain for _, region in rows],
        "comment": [region.comment for _, region in rows],
        "text": [region.text for _, region in rows],
        "ignore": [str(region.ignore) for _, region in rows],
        "attributes": [dict(region.attributes) for _, region in rows],
        "area": [region.area for _, region in rows],
        "page_width": [page.width for page, _ in rows],
        "page_height": [page.height for page, _ in rows],
    }


def truth_set_of(table: Any, images: Path | None) -> TruthSet:
    """The truth in a table.

    Parameters
    ----------
    table : DataFrame or mapping of str to sequence
    images : Path or None
        The folder that has the images, from which sizes of pages are read where the table has none.

    Raises
    ------
    SpotlabError
        A column or a page's size is missing, or a row is no region.

    Examples
    --------
    >>> table = {"page": ["plan"], "label": ["bed"], "points": ["5,5 25,5 25,40"],
    ...          "page_width": [200], "page_height": [100]}
    >>> truth_set_of(table, None).truths["plan"].page.width
    200
    """
    columns = {
        name.strip().casefold(): values for name, values in columns_of(table, "the truth").items()
    }
    columns = _with_points(columns)
    missing = [name for name in NEEDED if name not in columns]
    if missing:
        problem = f"the truth has no column {', '.join(missing)}"
        raise BadArgument(f"{problem}; expected the columns page, label, points")
    regions: dict[str, list[Region]] = {}
    places: dict[str, int] = {}
    bad = []
    for row in range(len(columns["page"])):
        values = {name: column[row] for name, column in columns.items()}
        try:
            region = _region(values)
            page = cell_text(values["page"]).strip()
            if not page:
                raise ValueError("page is empty")
        except ValueError as error:
            bad.append(f"the truth, row {row + 1}: {error}")
            continue
        regions.setdefault(page, []).append(region)
        places.setdefault(page, row)
    if bad:
        raise BadLines(bad, ADVICE)
    known = {} if images is None else {each.name: each.image for each in scan([images])}
    pages = {name: _page(name, columns, places[name], known) for name in regions}
    truths = [Truth(page, tuple(regions[name])) for name, page in pages.items()]
    return TruthSet({truth.page.name: truth for truth in with_names_apart(truths)})


def _with_points(columns: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """The columns with points in place of boxes, and with the names that truth has."""
    names = list(columns)
    roles = find_roles(names)
    columns = dict(columns)
    for wanted, role in (("page", "page"), ("label", "query")):
        if wanted not in columns and role in roles.places:
            columns[wanted] = columns[names[roles.places[role]]]
    box = roles.box
    if "points" in columns or box is None:
        return columns
    if box.unit == "share":
        raise BadArgument("the truth has boxes in shares of the page; expected px")
    texts = [list(map(cell_text, columns[names[place]])) for place in box.places]
    texts = [[text.replace(" ", ",") for text in column] for column in texts]
    columns["points"] = [_box_text(row, box.form or "xyxy") for row in zip(*texts, strict=True)]
    return columns


def _box_text(texts: Sequence[str], form: str) -> str:
    """The corners of a box as text; as it is where it is none, for the row to be named."""
    try:
        return " ".join(f"{x!r},{y!r}" for x, y in box_points_of(texts, form))
    except ValueError:
        return " ".join(texts) or "nothing"


def _region(values: Mapping[str, Any]) -> Region:
    points = ring_of_shape(values["points"])
    if isinstance(points, str):
        outline = parse_point_list(points)
    else:
        array = np.asarray(points, np.float64)
        if array.ndim != 2 or array.shape[1] != 2:
            raise ValueError(f"points have the shape {array.shape}; expected (N, 2)")
        outline = check_points([(x, y) for x, y in array.tolist()])
    more: dict[str, Any] = {
        name: cell_text(values[name]) for name in TEXTS if cell_text(values.get(name))
    }
    if cell_text(values.get("id")):
        more["id"] = cell_text(values["id"])
    if cell_text(values.get("primitive")):
        more["primitive"] = Primitive(cell_text(values["primitive"]))
    else:
        more["primitive"] = Primitive.POLYGON
    if cell_text(values.get("ignore")):
        more["ignore"] = Ignore(cell_text(values["ignore"]))
    more["attributes"] = _attributes(values.get("attributes"))
    uncertain = cell_text(values.get("uncertain")).casefold() in ("1", "true", "yes")
    return Region(tuple(outline), cell_text(values["label"]), uncertain=uncertain, **more)


def _attributes(value: object) -> Attributes:
    """Attributes in a cell: a mapping, or a JSON object as text."""
    if not isinstance(value, Mapping):
        text = cell_text(value)
        try:
            value = json.loads(text) if text else {}
        except ValueError:
            value = text
    if not isinstance(value, Mapping):
        raise ValueError(f"attributes are {value!r:.60}; expected a dict, or a JSON object as text")
    return Attributes({str(name): it for name, it in value.items() if it is not None})


def _page(name: str, columns: Mapping[str, Any], row: int, known: Mapping[str, Path]) -> Page:
    """The page of this name, with the size that the table has for it or that of its image."""
    path = Path(name)
    meant = PageNames(known).meant(name)
    image = known[meant[0]] if len(meant) == 1 else None
    if image is None and path.suffix.lower() in IMAGE_SUFFIXES and is_file(path):
        image = path
    if "page_width" in columns and "page_height" in columns:
        width, height = columns["page_width"][row], columns["page_height"][row]
        named = path if path.suffix.lower() in IMAGE_SUFFIXES else Path(f"{name}.png")
        return Page(image or named, int(width), int(height))
    if image is None:
        problem = f"nothing says how large the page {name!r} is"
        expected = "the columns page_width and page_height, or `images`: the folder of its image"
        raise BadArgument(f"{problem}; expected {expected}")
    try:
        header = read_header(image)
    except BadInput as error:
        raise BadArgument(str(error)) from error
    return Page(image, header.width, header.height)
