"""Lists the pages of folders and files, each image with the truth file that belongs to it.

The truth of ``plan.png`` is ``plan.xml`` beside it, or ``page/plan.xml`` where that is there
already; ``plan.png.xml`` where ``plan.xml`` belongs to something else. A file of several pages has
``scan_p1.xml``, ``scan_p2.xml``, …. Nothing is opened but the beginnings of XML files.
"""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from spotlab.errors import BadInput, reason
from spotlab.files import composed, exists, is_folder, is_missing, name_with
from spotlab.formats.collection.page_names import names_apart
from spotlab.formats.page.head import Summary, is_page_xml, named_image, summary
from spotlab.formats.page.images import find_image, image_path, writable_name
from spotlab.formats.rows.numbers import natural
from spotlab.imaging.reading.pixels import IMAGE_SUFFIXES, read_header
from spotlab.model.run import Truth
from spotlab.progress import Progress, silent

__all__ = ["PageEntry", "Summary", "expand", "image_of", "scan", "summary", "truth_path"]

MAXIMUM_DEPTH = 32  # of folders in folders
_SEVERAL_PAGES = frozenset({".tif", ".tiff", ".pdf"})
_SHORTENED = re.compile(r"~[0-9a-f]{8}(_p\d+)?$")
_FRAME = re.compile(r"(.+)_p\d+")


@dataclass(frozen=True)
class PageEntry:
    """One page of a collection.

    Attributes
    ----------
    image : Path
        The image file.
    frame : int
        Which page of it, from 0.
    frames : int or None
        How many pages it has; None while nobody has looked, see `expand`.
    truth_path : Path
        Where its truth is, or will be written.
    has_truth : bool
        Whether that file is there.
    missing : bool
        There is a truth file, but the image it names is not there.
    root : Path or None
        The opened folder in which the page was found. The image that a truth file names may lie
        elsewhere.
    called : str
        What the collection calls the image, where its stem alone does not tell it from others.
    others : tuple of Path
        PAGE files that name the same image, but are not called like it as its truth is. Where
        several files have the same right to be its truth, each has an entry of its own.
    """

    image: Path
    frame: int
    frames: int | None
    truth_path: Path
    has_truth: bool
    missing: bool = False
    root: Path | None = field(default=None, compare=False)
    called: str = field(default="", compare=False)
    others: tuple[Path, ...] = field(default=(), compare=False)

    @property
    def rival_ending(self) -> str:
        """The end of the name of a page whose image has several truth files."""
        path = str(self.truth_path)
        with suppress(ValueError):  # of another drive
            path = os.path.relpath(path, self.image.parent)
        return f" ({path})"

    @property
    def name(self) -> str:
        """Name of the page everywhere; no other page of the collection has it."""
        name = self.called or composed(self.image.stem)
        return name if self.frames in (None, 1) else f"{name}_p{self.frame + 1}"


def scan(paths: Sequence[Path], progress: Progress = silent) -> list[PageEntry]:
    """The pages in folders, with all folders in them, and in files.

    Parameters
    ----------
    paths : sequence of Path
        Folders, images, or PAGE files (which stand for the image they name). Hidden folders and
        files are passed over.

    Raises
    ------
    BadInput
        A path is not there, or a file is neither an image nor PAGE XML.
    """
    found: dict[tuple[Path, Path], PageEntry] = {}
    for path in paths:
        if is_folder(path):
            entries = [replace(entry, root=path) for entry in _scan_folder(path, progress)]
        elif path.suffix.lower() in IMAGE_SUFFIXES and exists(path):
            names = _FolderNames.of(path.parent)
            entries = [replace(entry, root=path.parent) for entry in names.entries(path.name)]
        elif is_page_xml(path):
            entries = [replace(_entry_of_xml(path), root=path.parent)]
        elif is_missing(path):
            raise BadInput(path, "it does not exist")
        else:
            expected = "an image, PAGE XML, or a folder of them"
            raise BadInput(path, "the file is not a page", expected=expected)
        for entry in entries:
            found.setdefault((entry.image, entry.truth_path), entry)
    return called_apart(list(found.values()))


def called_apart(entries: Sequence[PageEntry]) -> list[PageEntry]:
    """Pages of which no two have the same name.

    Parameters
    ----------
    entries : sequence of PageEntry
        In any order, which stays.
    """
    names = names_apart([entry.image for entry in entries])
    pages = Counter(zip(names, (entry.frame for entry in entries), strict=True))
    named = []
    for entry, name in zip(entries, names, strict=True):
        if pages[name, entry.frame] > 1:  # two truth files of one image
            name += entry.rival_ending  # noqa: PLW2901
        same = name == composed(entry.image.stem)
        named.append(replace(entry, called="" if same else name))
    return named


def truth_path(image: Path, frame: int, frames: int) -> Path:
    """Tell where the truth of a page is, or will be written."""
    return image.parent / _FolderNames.of(image.parent).truth(image.name, frame, frames)


def named_like(truth: Truth, entry: PageEntry) -> Truth:
    """The truth with the name that the collection gives its page.

    Parameters
    ----------
    truth : Truth
    entry : PageEntry
    """
    if truth.page.name == entry.name:
        return truth
    page = replace(
        truth.page, image=entry.image, frame=entry.frame, frames=entry.frames or 1,
        called=entry.called,
    )  # fmt: skip
    return replace(truth, page=page)


def is_shortened(entry: PageEntry) -> bool:
    """Tell whether the truth file's name had to be shortened, as file systems take no longer
    one.
    """
    return _SHORTENED.search(entry.truth_path.stem) is not None


def expand(entry: PageEntry) -> list[PageEntry]:
    """The entries of all pages of the entry's file, once it is known how many there are.

    Raises
    ------
    BadInput
        The file cannot be read as an image.
    """
    if entry.frames is not None or entry.missing:
        return [entry]
    frames = read_header(entry.image).frames
    if frames == 1:
        return [replace(entry, frames=1)]
    names = _FolderNames.of(entry.image.parent)
    entries = []
    for frame in range(frames):
        path = entry.image.parent / names.truth(entry.image.name, frame, frames)
        entries.append(
            replace(entry, frame=frame, frames=frames, truth_path=path, has_truth=exists(path))
        )
    return entries


def image_of(xml_path: Path) -> Path | None:
    """The image that a PAGE file is about; None if it is not there."""
    return find_image(xml_path, named_image(xml_path) or "")


def _entry_of_xml(path: Path) -> PageEntry:
    image = image_of(path)
    if image is None:
        expected = image_path(path, named_image(path) or "")
        return PageEntry(expected, 0, 1, path, True, missing=True)
    several = image.suffix.lower() in _SEVERAL_PAGES
    numbered = _FRAME.fullmatch(path.stem) if several else None
    if numbered and numbered.group(1) == image.stem:
        frame = int(path.stem[len(image.stem) + 2 :]) - 1
        frames = read_header(image).frames
        if 0 <= frame < frames:
            return PageEntry(image, frame, frames, path, True)
    return PageEntry(image, 0, None if several else 1, path, True)


def _scan_folder(top: Path, progress: Progress) -> list[PageEntry]:
    entries: list[PageEntry] = []
    for folder in _folders(top):
        progress(len(entries), None, f"listing {folder.name}")
        names = _FolderNames.of(folder)
        listed = [
            entry for name in sorted(names.images, key=natural) for entry in names.entries(name)
        ]
        entries += _with_orphans(listed, names, top)
    # an image need not be listed without truth where a file in another folder has its truth
    named = {entry.image for entry in entries if entry.has_truth}
    return [entry for entry in entries if entry.has_truth or entry.image not in named]


def _folders(top: Path) -> Iterator[Path]:
    """The folder and all in it, depth first in natural order; no folder twice through links."""
    seen: set[tuple[int, int]] = set()
    stack = [(top, 0)]
    while stack:
        folder, depth = stack.pop()
        try:
            status = folder.stat()
            if (status.st_dev, status.st_ino) in seen:
                continue
            seen.add((status.st_dev, status.st_ino))
            with os.scandir(folder) as listing:
                inner = [item.name for item in listing if not item.name.startswith(".")
                         and _is_folder(item)]  # fmt: skip
        except OSError as error:
            raise BadInput(folder, f"cannot be listed: {reason(error)}") from error
        yield folder
        if depth == MAXIMUM_DEPTH and inner:
            raise BadInput(folder, f"folders are nested deeper than {MAXIMUM_DEPTH}")
        stack += [(folder / name, depth + 1) for name in sorted(inner, key=natural, reverse=True)]


def _is_folder(item: os.DirEntry[str]) -> bool:
    try:
        return item.is_dir()
    except OSError:  # a link that leads to itself
        return False


class _FolderNames:
    """The names in one folder, and which truth belongs to which image."""

    def __init__(self, folder: Path, names: set[str], page_names: set[str]) -> None:
        self.folder = folder
        self.names = names
        self.page_names = page_names
        self._spelled = {composed(name): name for name in (*page_names, *names)}
        self.images = [name for name in names if _suffix(name) in IMAGE_SUFFIXES]
        self.by_stem: dict[str, list[str]] = {}
        for name in self.images:
            self.by_stem.setdefault(_stem(name), []).append(name)

    @classmethod
    def of(cls, folder: Path) -> _FolderNames:
        try:
            with os.scandir(folder) as listing:
                names = {item.name for item in listing if not item.name.startswith(".")}
            page_names = set(os.listdir(folder / "page")) if "page" in names else set()
        except NotADirectoryError:
            page_names = set()
        except OSError as error:
            raise BadInput(folder, f"cannot be listed: {reason(error)}") from error
        return cls(folder, names, page_names)

    def entries(self, image: str) -> list[PageEntry]:
        """The entry of an image, its first page if it has several; one for each truth file."""
        first = self.truth(image, 0, 1)
        frames = None if _suffix(image) in _SEVERAL_PAGES else 1
        present = self.present(image, *_names_of(image, ".xml"))
        if len(present) > 1 and frames is None and _frames_of(self.folder / image) == 1:
            frames = 1
        files = [first, *(name for name in present if name != first and frames == 1)]
        return [
            PageEntry(self.folder / image, 0, frames, self.folder / name, self._is_there(name))
            for name in files
        ]

    def _is_there(self, truth: str) -> bool:
        if truth.startswith("page/"):
            return truth.removeprefix("page/") in self.page_names
        return truth in self.names

    def truth(self, image: str, frame: int, frames: int) -> str:
        """The truth file's name, relative to the folder."""
        numbers = [""] if frames == 1 else [f"_p{frame + 1}"]
        # somebody may have begun with the first page when nothing was known of the others
        for number in [*numbers, ""] if frame == 0 else numbers:
            present = self.present(image, *_names_of(image, f"{number}.xml"))
            if present:
                return present[0]
        short, long = _names_of(image, f"{numbers[0]}.xml")
        alone = len(self.by_stem.get(_stem(image), ())) <= 1
        return short if alone and short not in self.names else long

    def present(self, image: str, short: str, long: str) -> list[str]:
        """The truth files of these names that are there already."""
        short, long = (
            self._spelled.get(composed(short), short),
            self._spelled.get(composed(long), long),
        )
        page = self.folder / "page"
        found = []
        if short in self.names and self.owns(image, self.folder / short):
            found.append(short)
        if short in self.page_names and self.owns(image, page / short):
            found.append(f"page/{short}")
        if long in self.names and is_page_xml(self.folder / long):
            found.append(long)
        if long in self.page_names and is_page_xml(page / long):
            found.append(f"page/{long}")
        return found

    def owns(self, image: str, xml: Path) -> bool:
        """Tell whether the PAGE file is about this one of the images with its stem."""
        if not is_page_xml(xml):
            return False
        rivals = sorted(self.by_stem.get(_stem(image), ()))
        if len(rivals) <= 1:
            return True
        named = re.split(r"[/\\]", named_image(xml) or "")[-1]
        written = {writable_name(rival): rival for rival in rivals}
        return image == written.get(named, rivals[0])


def _frames_of(image: Path) -> int:
    """Number of pages of an image file; 1 where it cannot be read."""
    try:
        return read_header(image).frames
    except BadInput:
        return 1


def _names_of(image: str, ending: str) -> tuple[str, str]:
    """Names of the truth file of an image: that of its stem, and that of its whole name."""
    return name_with(_stem(image), ending), name_with(image, ending)


def _with_orphans(entries: list[PageEntry], names: _FolderNames, top: Path) -> list[PageEntry]:
    """Add the PAGE files whose image is called otherwise or lies elsewhere or is missing."""
    claimed = {entry.truth_path for entry in entries}
    by_image = {entry.image: index for index, entry in enumerate(entries)}
    called_like_image = {entry.image for entry in entries if entry.has_truth}
    added: list[PageEntry] = []
    for name in sorted((name for name in names.names if _suffix(name) == ".xml"), key=natural):
        path = names.folder / name
        if path in claimed or _is_of_frame(name, names):
            continue
        if names.folder.name == "page" and names.folder != top and _image_above(names, name):
            continue
        if not is_page_xml(path):
            continue
        entry = _entry_of_xml(path)
        index = by_image.get(entry.image)
        if index is None:
            added.append(entry)
        elif not entries[index].has_truth:
            entries[index] = replace(entries[index], truth_path=path, has_truth=True)
        elif entry.image in called_like_image:
            known = entries[index]
            entries[index] = replace(known, others=(*known.others, path))
        else:
            added.append(replace(entry, frames=entry.frames or _frames_of(entry.image)))
    return entries + added


def _is_of_frame(name: str, names: _FolderNames) -> bool:
    numbered = _FRAME.fullmatch(_stem(name))
    if not numbered:
        return False
    ending = name[numbered.end(1) :]
    long = (
        (stem for stem in names.by_stem if name_with(stem, ending) == name) if "~" in name else ()
    )
    owners = names.by_stem.get(next(iter(long), numbered.group(1)), [])
    return any(_suffix(owner) in _SEVERAL_PAGES for owner in owners)


def _image_above(names: _FolderNames, xml: str) -> bool:
    above = names.folder.parent
    stem = _stem(xml)
    numbered = _FRAME.fullmatch(stem)
    stems = [stem, numbered.group(1)] if numbered else [stem]
    return any(
        exists(above / (base + ending)) for base in stems for ending in ("", *IMAGE_SUFFIXES)
    )


def _suffix(name: str) -> str:
    return os.path.splitext(name)[1].lower()


def _stem(name: str) -> str:
    return os.path.splitext(name)[0]


def with_new_pages(
    entries: Sequence[PageEntry], listed: Sequence[PageEntry]
) -> tuple[PageEntry, ...]:
    """The pages of a list, and those of another one that it lacks, each behind its predecessor.

    Parameters
    ----------
    entries : sequence of PageEntry
        The list as it is. All of its pages stay, also those that ``listed`` lacks.
    listed : sequence of PageEntry
        What lies in the folders now, in its order.
    """
    known = {entry.image for entry in entries}
    behind: dict[object, list[PageEntry]] = defaultdict(list)
    last: object = None
    for entry in listed:
        if entry.image in known:
            last = entry.image
        else:
            behind[last].append(entry)
    merged = list(behind[None])
    for place, entry in enumerate(entries):
        merged.append(entry)
        ends = place + 1 == len(entries) or entries[place + 1].image != entry.image
        if ends:
            merged += behind.pop(entry.image, [])
    return tuple(merged)


def common_folder(entries: Sequence[PageEntry]) -> Path | None:
    """The folder that all pages are in or below; None without pages.

    What a collection keeps, such as its labels, lies in this folder. It is never above the opened
    folder: of an image outside of that, the folder of the truth file that names it counts.

    Parameters
    ----------
    entries : sequence of PageEntry

    Examples
    --------
    >>> paths = [Path("/letters/a/1.png"), Path("/letters/b/1.png")]
    >>> entries = [PageEntry(path, 0, 1, path.with_suffix(".xml"), False) for path in paths]
    >>> common_folder(entries).as_posix()
    '/letters'
    """
    candidates = {(each.image.parent, each.truth_path.parent, each.root) for each in entries}
    folders = {_inside(root, image, truth) for image, truth, root in candidates}
    return Path(os.path.commonpath(folders)) if folders else None


def common_root(entries: Sequence[PageEntry]) -> Path | None:
    """The opened folder, or the one that all opened folders are in; None without pages."""
    roots = {each.root.absolute() for each in entries if each.root}
    return Path(os.path.commonpath(roots)) if roots else common_folder(entries)


def _inside(root: Path | None, *folders: Path) -> Path:
    """The first of these folders that is the root or in it, as links lead; else the root."""
    if root is None:
        return folders[0].absolute()
    top = os.path.realpath(root)
    inside = (each for each in folders if Path(os.path.realpath(each)).is_relative_to(top))
    return next(inside, root).absolute()
