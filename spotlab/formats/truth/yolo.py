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
from functools import partial
from pathlib import Path

from spotlab.errors import BadInput, NotSaved, counted, reason
from spotlab.files import exists, is_file, is_folder
from spotlab.formats.page.frames import box_frame
from spotlab.formats.page.images import find_image
from spotlab.formats.page.regions import (
    Ids,
    counted_losses,
    is_box,
    page_losses,
    passed_over_lines,
)
from spotlab.formats.rows.atomic import write_atomically
from spotlab.formats.rows.file_content import read_bytes
from spotlab.formats.rows.natural import natural
from spotlab.formats.truth import yolo_lines
from spotlab.formats.truth.format import DatasetLayout, Format
from spotlab.formats.truth.yolo_lines import Classes, read_lines, region_of
from spotlab.formats.truth.yolo_yaml import (
    PARTS,
    DataYaml,
    looks_like_yaml,
    read_yaml,
    yaml_text,
)
from spotlab.imaging.header import IMAGE_SUFFIXES, read_header
from spotlab.model import Page, Region, Truth
from spotlab.progress import Progress, track

NAME = "data.yaml"
_NAMES = (NAME, "data.yml", "dataset.yaml", "classes.txt", "obj.names")
_YAML = (".yaml", ".yml")
_FOLDERS_ABOVE = 4  # that are searched for the names of classes
_LINE = re.compile(rb"\s*\d+(\.0+)?(\s+-?(\d+(?:\.\d*)?|\.\d+)(e[-+]?\d+)?){4,}\s*", re.IGNORECASE)

Values = Callable[[Region, tuple[int, int]], Sequence[float]]


def read(path: Path, progress: Progress) -> list[Truth]:
    """The truth of one image, or of all that a ``data.yaml`` names.

    Raises
    ------
    BadInput
        A line is no region, a class has no name, or an image is missing.
    """
    if path.suffix.lower() not in _YAML:
        return [_truth(path, None, _classes_for(path))]
    data = read_yaml(path)
    pages = _pages(path, data)
    if not pages:
        problem = f"neither images nor labels are in {' or '.join(_places(data)) or 'any folder'}"
        raise BadInput(path, problem, place="train", expected="a folder of images")
    classes = Classes(data.names, data.keypoints)
    return [
        _truth(labels, image, classes)
        for image, labels in track(pages, progress, f"reading {path.name}")
    ]


def contents(path: Path) -> list[Path]:
    """The text files that a ``data.yaml`` stands for."""
    if path.suffix.lower() not in _YAML:
        return []
    return [labels for _, labels in _pages(path, read_yaml(path))]


def passed_over(path: Path) -> list[str]:
    """Confidences and keypoints, classes without a name, images without a text file."""
    if path.suffix.lower() in _YAML:
        data = read_yaml(path)
        classes = Classes(data.names, data.keypoints)
        files = [labels for _, labels in _pages(path, data)]
        found = ["image without a label file" for file in files if not is_file(file)]
    else:
        classes, files, found = _classes_for(path), [path], []
        if not classes.names:
            found.append("file without data.yaml or classes.txt, so that numbers are the labels")
    found += [line.more for file in files for line in read_lines(file, classes) if line.more]
    return passed_over_lines(path, found)


def _places(data: DataYaml) -> list[str]:
    return [place for places in data.images.values() for place in places]


def _pages(path: Path, data: DataYaml) -> list[tuple[Path | None, Path]]:
    """Each image with its text file; text files without an image have None."""
    pages: dict[Path, Path | None] = {}
    for place in _places(data):
        found = _found_place(path, data.path, place)
        if found is None:
            continue
        for image in _images(found, path):
            pages.setdefault(labels_of(image), image)
        labels = labels_of(found / "x").parent
        if not is_file(found) and is_folder(labels):
            for file in sorted(labels.rglob("*.txt"), key=_natural):
                pages.setdefault(file, None)
    return [(image, labels) for labels, image in pages.items()]


def _natural(path: Path) -> tuple[tuple[int, int, str], ...]:
    return natural(str(path))


def _found_place(path: Path, root: str, place: str) -> Path | None:
    """A folder or list of images; of images that are missing, where their folder would be."""
    bases = [path.parent / root, path.parent]
    spellings = [place, place.removeprefix("../")]  # Roboflow means a folder beside the file
    found = [base / spelling for base in bases for spelling in spellings]
    there = [each for each in found if exists(each)]
    return next(iter(there), None) or next(
        (each for each in found if is_folder(labels_of(each / "x").parent)), None
    )


def _images(place: Path, path: Path) -> Iterator[Path]:
    if not is_file(place):
        found = [file for file in place.rglob("*") if file.suffix.lower() in IMAGE_SUFFIXES]
        yield from sorted(found, key=_natural)
        return
    for line in read_bytes(place).decode("utf-8", "replace").splitlines():
        if line.strip():
            named = line.strip().removeprefix("./")
            bases = [base for base in (place.parent, path.parent) if is_file(base / named)]
            yield (bases[0] if bases else place.parent) / named


def labels_of(image: Path) -> Path:
    """The text file of an image by Ultralytics' rule: the last folder "images" becomes "labels".

    Examples
    --------
    >>> labels_of(Path("set/images/train/a.png")).as_posix()
    'set/labels/train/a.txt'
    """
    return _with_folder(image.with_suffix(".txt"), "images", "labels") or image.with_suffix(".txt")


def _with_folder(path: Path, old: str, new: str) -> Path | None:
    """The path with the last folder of the old name called otherwise; None where there is none."""
    parts = list(path.parts)
    places = [index for index, part in enumerate(parts[:-1]) if part == old]
    if not places:
        return None
    parts[places[-1]] = new
    return Path(*parts)


def _image_of(labels: Path) -> Path | None:
    """The image of a text file by the same rule, else beside it."""
    moved = _with_folder(labels, "labels", "images")
    return (find_image(moved, "") if moved else None) or find_image(labels, "")


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
            lines = file.read_text("utf-8-sig", "replace").splitlines()
            return Classes(tuple(line.strip() for line in lines if line.strip()))
    return Classes()


def _truth(labels: Path, image: Path | None, classes: Classes) -> Truth:
    found = image or _image_of(labels)
    if found is None or not is_file(found):
        moved = _with_folder(labels, "labels", "images") or labels
        wanted = str(image or moved.with_suffix(".png"))
        raise BadInput(labels, "positions are shares of the image, which is not there",
                       expected=wanted)  # fmt: skip
    header = read_header(found)
    size = header.width, header.height
    ids = Ids()
    regions = [region_of(line, labels, size, ids) for line in read_lines(labels, classes)]
    return Truth(Page(found, *size), tuple(regions))


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
    used = {region.label for truth in truths for region in truth.regions if _is_kept(region)}
    names = list(dict.fromkeys([*known, *sorted(used)]))
    numbers = {name: index for index, name in enumerate(names)}
    for part, pages in parts.items():
        inside = folder / "labels" / part
        try:
            inside.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise NotSaved(f"{inside} was not created: {reason(error)}") from error
        for truth in track(pages, progress, "writing YOLO"):
            size = truth.page.width, truth.page.height
            lines = [
                yolo_lines.text_of(numbers[region.label], values(region, size)) + "\n"
                for region in truth.regions
                if _is_kept(region) and yolo_lines.is_on_page(region, size)
            ]
            write_atomically(inside / f"{truth.page.name}.txt", "".join(lines).encode())
    images = {part or "train": image_folder(part) for part in parts}
    first = next(iter(images.values()))
    places = {part: images.get(part, first if part == "val" else "") for part in PARTS}
    given = {part: place for part, place in places.items() if place}
    write_atomically(folder / NAME, yaml_text(names, given))


def image_folder(part: str) -> str:
    """Where the images of a part stand."""
    return f"images/{part}" if part else "images"


def _write(values: Values, truths: Sequence[Truth], target: Path, progress: Progress) -> None:
    write_dataset(values, {"": truths}, target, progress)


def _is_kept(region: Region) -> bool:
    return bool(region.label) and not region.ignored


def _losses(
    line: str, is_kept_whole: Callable[[Region], bool], truths: Sequence[Truth]
) -> list[str]:
    sizes = [(truth.page.width, truth.page.height) for truth in truths]
    kept = [
        (region, size)
        for truth, size in zip(truths, sizes, strict=True)
        for region in truth.regions
        if _is_kept(region)
    ]
    outside = sum(not yolo_lines.is_on_page(*each) for each in kept)
    cut = sum(yolo_lines.leaves_page(*each) for each in kept) - outside
    lines = counted_losses(
        truths,
        {
            "regions without a label are left out": lambda region: not region.label,
            "ignored regions are left out": lambda region: region.ignored,
            line: lambda region: _is_kept(region) and not is_kept_whole(region),
            "uncertain flags are left out": lambda region: region.uncertain,
            "comments are left out": lambda region: bool(region.comment),
            "texts are left out": lambda region: bool(region.text),
        },
    )
    for count, what in ((outside, "regions beyond the edge of the page are left out"),
                        (cut, "what lies beyond the edge of the page is cut off")):  # fmt: skip
        if count:
            lines.append(f"{what} ({counted(count, 'region')})")
    return lines + page_losses(truths)


def _has_line(path: Path, head: bytes) -> bool:
    if path.suffix.lower() in _YAML:
        return looks_like_yaml(head)
    lines = [line for line in head.splitlines() if line.strip()]
    return path.suffix.lower() == ".txt" and bool(lines) and bool(_LINE.fullmatch(lines[0]))


def _is_whole_box(region: Region) -> bool:
    return is_box(region.points)


def _is_turned_box(region: Region) -> bool:
    return box_frame(region.points) is not None


def _is_whole(_region: Region) -> bool:
    return True


def _format(
    name: str, title: str, values: Values, line: str, is_kept_whole: Callable[[Region], bool]
) -> Format:
    """One of the three; reading them is the same."""
    layout = DatasetLayout(image_folder, partial(write_dataset, values), needs_images=True)
    return Format(
        name, title, (".txt", *_YAML), _has_line, read, partial(_write, values),
        losses=partial(_losses, line, is_kept_whole), passed_over=passed_over, contents=contents,
        layout=layout,
    )  # fmt: skip


FORMAT = _format(
    "yolo", "YOLO boxes", yolo_lines.box_values, "outlines become their bounding boxes",
    _is_whole_box,
)  # fmt: skip
SEGMENTS = _format("yolo-seg", "YOLO segments", yolo_lines.outline_values, "", _is_whole)
ORIENTED = _format(
    "yolo-obb", "YOLO oriented boxes", yolo_lines.corner_values,
    "outlines become the smallest turned boxes around them", _is_turned_box,
)  # fmt: skip
