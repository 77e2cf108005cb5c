"""YOLO as Ultralytics has it: boxes, segments and oriented boxes, in and out.

A text file per image has a line per region: the number of its class, then a box ``x y width
height`` (x and y of its middle), the four corners of an oriented box, or all corners of an outline.
All of them are shares of the image's width and height, so the image has to be there. ``data.yaml``
names the classes and the folders of images; the regions of ``images/train/a.png`` are in
``labels/train/a.txt``. A single text file takes the names from ``data.yaml``, ``classes.txt`` or
``obj.names`` in its folder or one above; else the number is the label.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path

import numpy as np

from spotlab.errors import BadInput, NotSaved, reason
from spotlab.files import composed, exists, is_file, is_folder, is_missing
from spotlab.formats.page.foreign_shapes import Corners, Ids, box_points, make_region
from spotlab.formats.page.images import find_image, needed_image
from spotlab.formats.rows.files import read_bytes, write_atomically
from spotlab.formats.rows.numbers import natural
from spotlab.formats.rows.reading import Reading
from spotlab.formats.rows.text_files import read_text
from spotlab.formats.truth.format import (
    DatasetLayout,
    Format,
    Holds,
    OutlineKinds,
    distinct_names,
    label_set,
)
from spotlab.formats.truth.yolo_yaml import (
    PARTS,
    DataYaml,
    looks_like_yaml,
    read_yaml,
    spelled,
    yaml_text,
)
from spotlab.geometry.primitives import box_frame
from spotlab.imaging.reading.pixels import IMAGE_SUFFIXES, read_header
from spotlab.model import LabelSet, Page, Primitive, Region, Truth
from spotlab.progress import Progress, track

BOX = 4  # numbers after the class
_MOST_NUMBERS = 999  # classes without names that keep their numbers
SLACK = 0.01  # share of the image by which a corner may lie outside
_EXPECTED = "a class, then x y width height, or x y of three corners or more"


@dataclass(frozen=True)
class Classes:
    """Class names of a data set.

    Attributes
    ----------
    names : tuple of str
        In the order of their numbers, each once; empty where nothing says it, and the number is the
        label.
    keypoints : int
        Numbers that each line has after its box, of poses; 0 where there are none.
    """

    names: tuple[str, ...] = ()
    keypoints: int = 0

    @cached_property
    def labels(self) -> LabelSet:
        """A label for every class, used or not, in the order of their numbers."""
        return label_set(self.names)


@dataclass(frozen=True)
class YoloLine:
    """A line of a text file.

    Attributes
    ----------
    number : int
        From 1.
    label : str
    values : tuple of float
        Of a box or an outline, in shares of the image.
    more : str
        What else stands there; empty if nothing does.
    """

    number: int
    label: str
    values: tuple[float, ...]
    more: str = ""


def read_lines(path: Path, classes: Classes, reading: Reading) -> Iterator[YoloLine]:
    """The lines of a file; none where the file is missing or empty, as an image has no region then.

    A line that is no region, or whose class has no name, is left out.
    """
    if is_missing(path) or (is_file(path) and path.stat().st_size == 0):
        return
    for number, text in enumerate(_text(path, reading).splitlines(), 1):
        if text.strip():
            with reading.item():
                yield _line(number, text.split(), path, classes)


def _text(path: Path, reading: Reading) -> str:
    return read_text(path, partial(reading.remark, path))


def _line(number: int, words: Sequence[str], path: Path, classes: Classes) -> YoloLine:
    place = f"line {number}"
    try:
        first, *values = (float(word) for word in words)
    except ValueError as error:
        problem = f"{' '.join(words)[:40]!r} is not all numbers"
        raise BadInput(path, problem, place=place, expected=_EXPECTED) from error
    names = classes.names
    if first != first // 1 or not 0 <= first < (len(names) or 10**6):
        expected = f"a class from 0 to {len(names) - 1}" if names else "a whole number from 0 on"
        raise BadInput(path, f"the class is {words[0][:20]}", place=place, expected=expected)
    more = ""
    if classes.keypoints and len(values) >= BOX + classes.keypoints:
        values, more = values[:BOX], "keypoints of a box"
    elif len(values) % 2:
        values, more = values[:-1], "confidence of a region"
    if len(values) < BOX:
        problem = f"{len(words)} numbers are no region"
        raise BadInput(path, problem, place=place, expected=_EXPECTED)
    for value in values:
        if not -SLACK <= value <= 1 + SLACK:  # nan, too
            raise BadInput(path, f"{value:g} is no share of the image", place=place,
                           expected="numbers from 0 to 1")  # fmt: skip
    label = names[int(first)] if names else str(int(first))
    return YoloLine(number, label, tuple(values), more)


def region_of(line: YoloLine, path: Path, size: tuple[int, int], ids: Ids) -> Region:
    """The region of a line, on a page of this width and height in px.

    Raises
    ------
    BadInput
        It is no outline.
    """
    width, height = size
    values = line.values
    if len(values) == BOX:
        x, across = values[0] * width, values[2] * width
        y, down = values[1] * height, values[3] * height
        points = box_points(x - across / 2, y - down / 2, x + across / 2, y + down / 2)
    else:
        points = [(x * width, y * height) for x, y in zip(values[::2], values[1::2], strict=True)]
    primitive = Primitive.BOX if box_frame(points) else Primitive.POLYGON
    place = f"line {line.number}"
    return make_region(points, path, place, label=line.label, id=ids.take("line"),
                       primitive=primitive)  # fmt: skip


def box_values(region: Region, size: tuple[int, int]) -> list[float]:
    """The middle, width and height of a box.

    Examples
    --------
    >>> box_values(Region(((0, 10), (50, 10), (50, 60))), (100, 200))
    [0.25, 0.175, 0.5, 0.25]
    """
    (left, top), (right, bottom) = _shares([region.bounds[:2], region.bounds[2:]], size)
    return [(left + right) / 2, (top + bottom) / 2, right - left, bottom - top]


def outline_values(region: Region, size: tuple[int, int]) -> list[float]:
    """The corners of an outline."""
    return [value for point in _shares(region.points, size) for value in point]


def _shares(points: Sequence[tuple[float, float]], size: tuple[int, int]) -> Corners:
    inside = np.clip(np.asarray(points, np.float64) / size, 0, 1)
    return [(x, y) for x, y in inside.tolist()]


def text_of(number: int, values: Sequence[float]) -> str:
    """A line, exact to a millionth of a pixel on large pages."""
    return " ".join([str(number), *(f"{value:.10f}".rstrip("0").rstrip(".") for value in values)])


NAME = "data.yaml"
_NAMES = (NAME, "data.yml", "dataset.yaml", "classes.txt", "obj.names")
_YAML = (".yaml", ".yml")
_FOLDERS_ABOVE = 4  # that are searched for the names of classes
_LINE = re.compile(rb"\s*\d+(\.0+)?(\s+-?(\d+(?:\.\d*)?|\.\d+)(e[-+]?\d+)?){4,}\s*", re.IGNORECASE)

Values = Callable[[Region, tuple[int, int]], Sequence[float]]


def read(path: Path, reading: Reading) -> list[Truth]:
    """The truth of one image, or of all that a ``data.yaml`` names.

    Raises
    ------
    BadInput
        There are no classes or pages, or the image of a single file is missing.
    """
    if path.suffix.lower() not in _YAML:
        classes = _classes_for(path)
        if not classes.names:
            what = "file without data.yaml or classes.txt, so that numbers are the labels"
            reading.remark(path, what)
        return [_truth(path, None, classes, path, reading)]
    data = read_yaml(path)
    pages = _pages(path, data)
    if not pages:
        problem = f"neither images nor labels are in {' or '.join(_places(data)) or 'any folder'}"
        raise BadInput(path, problem, place="train", expected="a folder of images")
    classes = Classes(data.names, data.keypoints)
    truths = []
    for image, labels in reading.track(pages, path):
        with reading.item():
            truths.append(_truth(labels, image, classes, path, reading))
            if not is_file(labels):
                reading.remark(path, "image without a label file")
    return truths


def contents(path: Path) -> list[Path]:
    """The text files that a ``data.yaml`` stands for."""
    if path.suffix.lower() not in _YAML:
        return []
    return [labels for _, labels in _pages(path, read_yaml(path))]


def _places(data: DataYaml) -> list[str]:
    return [place for places in data.images.values() for place in places]


def _pages(path: Path, data: DataYaml) -> list[tuple[Path | None, Path]]:
    """Each image with its text file; text files without an image have None.

    An image and its text file may spell accents in different ways.
    """
    pages: dict[str, tuple[Path | None, Path]] = {}
    for place in _places(data):
        found = _found_place(path, data.path, place)
        if found is None:
            continue
        for image in _images(found, path):
            file = labels_of(image)
            pages.setdefault(composed(str(file)), (image, file))
        labels = labels_of(found / "x").parent
        if not is_file(found) and is_folder(labels):
            for file in sorted(labels.rglob("*.txt"), key=_natural):
                key = composed(str(file))
                pages[key] = pages.get(key, (None, file))[0], file
    return list(pages.values())


def _natural(path: Path) -> tuple[tuple[int, int, str], ...]:
    return natural(str(path))


def _found_place(path: Path, root: str, place: str) -> Path | None:
    """A folder, an image or a list of images; of images that are missing, where they would be."""
    found = list(_possible(place, [path.parent / root, path.parent]))
    return next((each for each in found if exists(each)), None) or next(
        (each for each in found if is_folder(labels_of(each / "x").parent)), None
    )


def _possible(named: str, bases: Sequence[Path]) -> Iterator[Path]:
    """Paths that a name may mean: below each folder, also without the folders it begins with.

    Lists name images from wherever they were made: "data/images/1.jpg", "/content/set/images/1.jpg"
    or, as Roboflow does for a folder beside the file, "../train/images".
    """
    plain = named.replace("\\", "/")
    yield from (base / plain for base in bases)
    parts = [part for part in plain.split("/") if part not in ("", ".", "..")]
    yield from (base.joinpath(*parts[k:]) for k in range(len(parts)) for base in bases)


def _images(place: Path, path: Path) -> Iterator[Path]:
    """The images in a folder or a list, or the place itself where it is an image."""
    if not is_file(place):
        found = [file for file in place.rglob("*") if file.suffix.lower() in IMAGE_SUFFIXES]
        yield from sorted(found, key=_natural)
        return
    if place.suffix.lower() in IMAGE_SUFFIXES:
        yield place
        return
    if not place.stat().st_size:
        return
    content = read_bytes(place)
    if b"\0" in content[:4096]:
        raise BadInput(path, f"{place.name} is no list of images", place="train",
                       expected="folders, images, or texts with a path on each line")  # fmt: skip
    for line in content.decode("utf-8-sig", "replace").splitlines():
        if line.strip():
            possible = list(_possible(line.strip(), [place.parent, path.parent]))
            yield (
                next(filter(is_file, possible), None)
                or next((image for image in possible if is_file(labels_of(image))), None)
                or possible[0]
            )


def labels_of(image: Path) -> Path:
    """The text file of an image by Ultralytics' rule: the last folder "images" becomes "labels".

    Examples
    --------
    >>> labels_of(Path("set/images/train/a.png")).as_posix()
    'set/labels/train/a.txt'
    """
    return _with_folder(image.with_suffix(".txt"), "images", "labels") or image.with_suffix(".txt")


def _with_folder(path: Path, old: str, new: str) -> Path | None:
    """The path with the last folder of the old name called otherwise; None where there is none.

    A name in capitals, or that begins with one, stays so: Labels belongs to Images.
    """
    parts = list(path.parts)
    places = [index for index, part in enumerate(parts[:-1]) if part.lower() == old]
    if not places:
        return None
    last = parts[places[-1]]
    parts[places[-1]] = new.upper() if last.isupper() else new if last.islower() else new.title()
    return Path(*parts)


def _image_of(labels: Path) -> Path | None:
    """The image of a text file by the same rule, else beside it."""
    moved = _with_folder(labels, "labels", "images")
    return (find_image(moved, "") if moved else None) or find_image(labels, "")


def class_names_beside(path: Path) -> tuple[str, ...]:
    """The names of classes in ``data.yaml`` or ``classes.txt`` beside a file, or in folders above.

    Empty where there are none.

    Raises
    ------
    BadInput
        The file of names cannot be read.
    """
    return _classes_for(path).names


def _classes_for(path: Path) -> Classes:
    """The names of classes for a single text file."""
    for folder in path.absolute().parents[:_FOLDERS_ABOVE]:
        for name in _NAMES:
            file = folder / name
            if not is_file(file):
                continue
            if file.suffix in _YAML:
                data = read_yaml(file)
                return Classes(data.names, data.keypoints)
            lines = read_text(file).rstrip().splitlines()
            return Classes(tuple(distinct_names(lines)))
    return Classes()


def _truth(
    labels: Path, image: Path | None, classes: Classes, named_by: Path, reading: Reading
) -> Truth:
    found = image or _image_of(labels)
    if found is None or not is_file(found):
        moved = _with_folder(labels, "labels", "images") or labels
        wanted = str(image or moved.with_suffix(".png"))
        try:
            found = needed_image(labels, "", "", "positions are shares of the image", reading)
        except BadInput as error:
            raise BadInput(named_by, error.problem, expected=wanted) from error
    header = read_header(found)
    size = header.width, header.height
    ids = Ids()
    regions = []
    for line in read_lines(labels, classes, reading):
        with reading.item():
            regions.append(region_of(line, labels, size, ids))
        if line.more:
            reading.pass_over(named_by, line.more)
    known = classes.labels
    if not classes.names and regions:  # numbers are the labels: they keep their places
        highest = max(int(region.label) for region in regions)
        known = label_set([str(number) for number in range(min(highest, _MOST_NUMBERS) + 1)])
    return Truth(Page(found, *size), tuple(regions), known)


def write_dataset(
    values: Values, parts: Mapping[str, Sequence[Truth]], folder: Path, progress: Progress
) -> None:
    """Write ``data.yaml`` and a text file per page, below ``labels``.

    Parameters
    ----------
    values : callable
        What of a region a line has.
    parts : mapping of str to sequence of Truth
        The pages of train, val and test; "" of pages that are not split.
    folder : Path
        Where; it is there.
    progress : Progress

    Raises
    ------
    NotSaved
        A file could not be written.
    """
    truths = [truth for part in parts.values() for truth in part]
    known = [label.name for truth in truths for label in truth.labels]
    used = {region.label for truth in truths for region in truth.regions}
    names = list(dict.fromkeys([*known, *sorted(used)]))
    numbers = {name: index for index, name in enumerate(names)}
    for part, pages in parts.items():
        for truth in track(pages, progress, "writing YOLO"):
            file = folder / "labels" / part / f"{truth.page.name}.txt"
            try:
                file.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise NotSaved(f"{file.parent} was not created: {reason(error)}") from error
            size = truth.page.width, truth.page.height
            lines = [
                text_of(numbers[region.label], values(region, size)) + "\n"
                for region in truth.regions
            ]
            write_atomically(file, "".join(lines).encode())
    images = {part or "train": image_folder(part) for part in parts}
    first = next(iter(images.values()))
    places = {part: images.get(part, first if part == "val" else "") for part in PARTS}
    given = {part: place for part, place in places.items() if place}
    write_atomically(folder / NAME, yaml_text(names, given))


def image_folder(part: str) -> str:
    """Tell where the images of a part stand."""
    return f"images/{part}" if part else "images"


def _write(values: Values, truths: Sequence[Truth], target: Path, progress: Progress) -> None:
    write_dataset(values, {"": truths}, target, progress)


def _has_line(path: Path, head: bytes) -> bool:
    if path.suffix.lower() in _YAML:
        return looks_like_yaml(head)
    lines = [line for line in head.splitlines() if line.strip()]
    return path.suffix.lower() == ".txt" and bool(lines) and bool(_LINE.fullmatch(lines[0]))


def _kind(region: Region) -> Primitive:
    return Primitive.BOX if box_frame(region.points) else Primitive.POLYGON


def _format(name: str, title: str, values: Values, outlines: OutlineKinds) -> Format:
    """One of the three; reading them is the same."""
    layout = DatasetLayout(image_folder, partial(write_dataset, values))
    holds = Holds(
        outlines=outlines, off_page=False, flat=False, kind=_kind, spelling=spelled,
        unlabelled=False, ignored=frozenset(), texts=False, comments=False,
        attributes=False, uncertain=False, histories=False, checked=False, frames=False,
        order=False, tags=False, numbered=True, colours=False, digits=False,
    )  # fmt: skip
    return Format(
        name, title, (".txt", *_YAML), _has_line, read, partial(_write, values),
        holds=holds, contents=contents, layout=layout, needs_images=True,
    )  # fmt: skip


FORMAT = _format("yolo", "YOLO boxes", box_values, OutlineKinds.BOXES)
SEGMENTS = _format("yolo-seg", "YOLO segments", outline_values, OutlineKinds.ANY)
ORIENTED = _format("yolo-obb", "YOLO oriented boxes", outline_values, OutlineKinds.TURNED_BOXES)
