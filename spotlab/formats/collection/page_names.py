"""Names of pages: the path below the collection, of which the last part is enough while it is the
only one, and what the files of others mean by a name.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from spotlab.files import composed
from spotlab.imaging.reading.pixels import IMAGE_SUFFIXES
from spotlab.model.run import Page, Truth

_ENDINGS = frozenset({*IMAGE_SUFFIXES, ".xml"})


def names_apart(images: Sequence[Path]) -> list[str]:
    """A name for each image: its stem, and for images of one stem as much of the path as they need.

    Parameters
    ----------
    images : sequence of Path
        The same path twice is one image.

    Returns
    -------
    list of str
        In Unicode's composed form (NFC). Images of one stem get their ending, ``plan.png``, or
        folders, ``ground floor/plan``.

    Examples
    --------
    >>> names_apart([Path("a/1.png"), Path("b/1.png"), Path("b/2.png"), Path("2.jpg")])
    ['a/1', 'b/1', '2.png', '2.jpg']
    """
    paths = [Path(os.path.abspath(image)) for image in images]
    top = _common_folder(paths)
    alike: dict[str, list[Path]] = defaultdict(list)
    for image in dict.fromkeys(paths):
        alike[composed(image.stem)].append(image)
    names: dict[Path, str] = {}
    for stem, group in alike.items():
        different = [stem] if len(group) == 1 else _shortest(group, top)
        names.update(zip(group, different, strict=True))
    return [names[path] for path in paths]


def _common_folder(paths: Sequence[Path]) -> Path | None:
    try:
        return Path(os.path.commonpath([path.parent for path in paths]))
    except ValueError:  # none, or of several drives
        return None


def _shortest(images: Sequence[Path], top: Path | None) -> list[str]:
    """Names that differ, as short as they can be for all of these."""
    folders = [(each.parent.relative_to(top) if top else each.parent).parts for each in images]
    for depth in range(max(map(len, folders)) + 1):
        for lasts in ([image.stem for image in images], [image.name for image in images]):
            names = [
                composed("/".join((*(inner[-depth:] if depth else ()), last)))
                for inner, last in zip(folders, lasts, strict=True)
            ]
            if len(set(names)) == len(names):
                return names
    return [str(image) for image in images]


def pages_apart(pages: Sequence[Page], others: Sequence[Path] = ()) -> list[Page]:
    """Pages called so that those of different images have different names.

    Parameters
    ----------
    pages : sequence of Page
        Those that a collection has named keep their names.
    others : sequence of Path
        More images of the collection.

    Examples
    --------
    >>> pages = [Page(Path(name), 9, 9) for name in ("a/1.png", "b/1.png")]
    >>> [page.name for page in pages_apart(pages)]
    ['a/1', 'b/1']
    """
    names = names_apart([*(page.image for page in pages), *others])
    return [
        page if page.called or name == composed(page.image.stem) else replace(page, called=name)
        for page, name in zip(pages, names, strict=False)
    ]


def with_names_apart(truths: Sequence[Truth], others: Sequence[Path] = ()) -> list[Truth]:
    """Truths whose pages are called as `pages_apart` does.

    Parameters
    ----------
    truths : sequence of Truth
    others : sequence of Path
        More images of the collection.
    """
    pages = pages_apart([truth.page for truth in truths], others)
    return [
        truth if page is truth.page else replace(truth, page=page)
        for truth, page in zip(truths, pages, strict=True)
    ]


def bare_name(page: str) -> str:
    """Strip what a file calls a page of folders before it and of an image's ending.

    Parameters
    ----------
    page : str

    Examples
    --------
    >>> bare_name("scans/plan.v2.tif"), bare_name("plan.v2")
    ('plan.v2', 'plan.v2')
    """
    last = _parts(page)[-1]
    stem, ending = os.path.splitext(last)
    return stem if ending.lower() in _ENDINGS else last


def _parts(page: str) -> list[str]:
    return composed(page).replace("\\", "/").split("/")


class PageNames:
    """The pages of a collection, found by whatever the files of others call them.

    A file may say a page's name, its image's file name, or either with another ending or with
    folders before it. Where that means several pages, folders decide.

    Parameters
    ----------
    images : mapping of str to Path or None
        The image of each page by the page's name; None where only the name is known.

    Examples
    --------
    >>> pages = PageNames({"a/1": Path("x/a/1.png"), "b/1": Path("x/b/1.png"), "2": None})
    >>> pages.meant("b/1.png"), pages.meant("1"), pages.meant("scans/2.tif"), pages.meant("3")
    (['b/1'], ['a/1', 'b/1'], ['2'], [])
    """

    def __init__(self, images: Mapping[str, Path | None]) -> None:
        self._images = images
        self._by_last: dict[str, list[str]] = defaultdict(list)
        self._by_bare: dict[str, list[str]] = defaultdict(list)
        for name, image in images.items():
            last = _parts(name)[-1]
            if image is not None:
                file = composed(image.name)
                self._by_last[file].append(name)
                last = last.replace(file, composed(image.stem), 1)  # "scan.tif_p2" is "scan_p2"
            else:
                self._by_last[last].append(name)
            self._by_bare[last if image is not None else bare_name(last)].append(name)

    def meant(self, page: str) -> list[str]:
        """The names of the pages that may be meant; several where nothing tells them apart."""
        whole = composed(page)
        if whole in self._images:
            return [whole]
        *folders, last = _parts(page)
        for spelling in dict.fromkeys((last, bare_name(last))):
            found = self._by_last.get(spelling) or self._by_bare.get(spelling)
            if found:
                return self._nearest(folders, found)
        return []

    def matched(self, pages: Iterable[str]) -> dict[str, str | None]:
        """For each page as one file calls it, the page it means; None where that is not certain.

        Names that differ in their folders are different pages: those whose folders are the page's
        own mean it then, and no other.
        """
        found: dict[str, str | None] = {}
        meaning: dict[str, list[str]] = defaultdict(list)
        for page in dict.fromkeys(pages):
            meant = self.meant(page)
            found[page] = meant[0] if len(meant) == 1 else None
            if len(meant) == 1 and len(_parts(page)) > 1:
                meaning[meant[0]].append(page)
        for name, its_pages in meaning.items():
            folders = {page: tuple(_parts(page)[:-1]) for page in its_pages}
            near = {page: self._nearness(folders[page], name) for page in its_pages}
            nearest = [page for page in its_pages if near[page] == max(near.values())]
            certain = near[nearest[0]] or len({folders[page] for page in nearest}) == 1
            for page in its_pages:
                if page not in nearest or not certain:
                    found[page] = None
        return found

    def _nearest(self, folders: Sequence[str], names: list[str]) -> list[str]:
        if len(names) == 1:
            return names
        near = [self._nearness(folders, name) for name in names]
        return [name for name, each in zip(names, near, strict=True) if each == max(near)]

    def _nearness(self, folders: Sequence[str], name: str) -> int:
        image = self._images[name]
        own = _parts(name if image is None else image.as_posix())[:-1]
        pairs = zip(reversed(folders), reversed(own), strict=False)
        equal = [one == other for one, other in pairs]
        return equal.index(False) if False in equal else len(equal)


def pages_among(pages: Sequence[str], names: Iterable[str]) -> list[str]:
    """The names that pages have among others; a page stays as it is where none or several fit.

    Parameters
    ----------
    pages : sequence of str
        As a file calls them, perhaps with folders and ending.
    names : iterable of str
        Of the pages there are.

    Examples
    --------
    >>> pages_among(["scans/plan_1.png", "other.png"], ["plan_1"])
    ['plan_1', 'other.png']
    """
    known = PageNames(dict.fromkeys(names))
    found = [known.meant(page) for page in pages]
    return [each[0] if len(each) == 1 else page for page, each in zip(pages, found, strict=True)]
