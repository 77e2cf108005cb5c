"""METS of any producer, in: the PAGE files, else the ALTO files, of one of its file groups.

OCR-D has versions of the same pages in file groups: images, ground truth, results of each step. One
group is read: the one that is named, else the only one whose name says that it is ground truth
("GT"), else the only one with PAGE files. What a file is is seen in the file, since Transkribus and
eScriptorium do not say it in METS; a group without a name (USE) goes by its ID.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

from spotlab.errors import BadInput
from spotlab.files import is_file, open_file
from spotlab.formats.page.foreign_shapes import root_name
from spotlab.formats.page.head import looks_like_page
from spotlab.formats.page.xml_tree import Node, read_tree
from spotlab.formats.rows.files import read_bytes
from spotlab.formats.rows.reading import Reading
from spotlab.formats.truth import page_xml
from spotlab.formats.truth.documents import alto
from spotlab.formats.truth.format import ELEMENTS, Format
from spotlab.model import Truth

_PAGE = "application/vnd.prima.page+xml"
_ALTO = ("application/alto+xml", "text/xml+alto")
_NAMESPACE = b"http://www.loc.gov/METS"
_TRUTH = "GT"  # of a group's name, between hyphens


@dataclass
class FileGroup:
    """Files of a file group in the order of the physical pages.

    Attributes
    ----------
    pages, altos : list of Path
        The PAGE and the ALTO files.
    others : int
        Number of other files, such as images.
    remote : list of str
        Addresses of files that are not in the folder.
    """

    pages: list[Path] = field(default_factory=list)
    altos: list[Path] = field(default_factory=list)
    others: int = 0
    remote: list[str] = field(default_factory=list)


def page_groups(path: Path) -> dict[str, list[Path]]:
    """The PAGE files of each file group; where there are none at all, the ALTO files.

    Raises
    ------
    BadInput
        It is not METS.
    """
    return _truth_files(_groups(path))


def _truth_files(groups: dict[str, FileGroup]) -> dict[str, list[Path]]:
    pages = {name: group.pages for name, group in groups.items() if group.pages}
    return pages or {name: group.altos for name, group in groups.items() if group.altos}


def group_for(path: Path, name: str = "") -> str:
    """The file group that is read: the named one, else the one that is the ground truth.

    Raises
    ------
    BadInput
        There is no such group, none with PAGE or ALTO files, or several of which none is to be
        preferred.
    """
    return _chosen(path, page_groups(path), name)


def _chosen(path: Path, groups: dict[str, list[Path]], name: str) -> str:
    if not groups:
        raise BadInput(path, "no file group has PAGE files", place="fileSec",
                       expected="PAGE or ALTO files in the same folder")  # fmt: skip
    expected = "one of " + ", ".join(groups)
    if name:
        if name not in groups:
            raise BadInput(path, f"there is no file group {name!r} with PAGE files",
                           place="fileSec", expected=expected)  # fmt: skip
        return name
    preferred = [group for group in groups if _TRUTH in group.upper().split("-")] or list(groups)
    if len(preferred) > 1:
        problem = f"{len(preferred)} file groups may be meant"
        raise BadInput(path, problem, place="fileSec", expected=f"--file-group, {expected}")
    return preferred[0]


def read(path: Path, reading: Reading) -> list[Truth]:
    """The truth of the pages in the file group that is asked for; see `group_for`.

    Raises
    ------
    BadInput
        There is no such group.
    """
    groups = _groups(path)
    files = _truth_files(groups)
    chosen = _chosen(path, files, reading.file_group)
    found: list[Truth] = []
    _name_missing(path, groups, chosen, reading)
    for file in reading.track(files[chosen], path):
        if not is_file(file):
            continue
        with reading.item():
            format = alto.FORMAT if file in groups[chosen].altos else page_xml.FORMAT
            found += format.read_file(file, reading.quiet())
    for name, group in groups.items():
        own = name == chosen
        for what, count in (
            ("PAGE file of another file group", 0 if own else len(group.pages)),
            ("ALTO file", 0 if own and not group.pages else len(group.altos)),
            ("file of another type", group.others),
        ):
            if count:
                reading.pass_over(path, what, count=count)
    return found


def name_missing(path: Path, group: str, reading: Reading) -> None:
    """Leave out what a file group names and is not there, and report files that are elsewhere.

    Parameters
    ----------
    path : Path
        The METS file.
    group : str
    reading : Reading

    Raises
    ------
    BadInput
        It is not METS, or a page is not there and reading is strict.
    """
    groups = _groups(path)
    _name_missing(path, groups, group, reading)


def _name_missing(path: Path, groups: dict[str, FileGroup], chosen: str, reading: Reading) -> None:
    for file in _truth_files(groups)[chosen]:
        if not is_file(file):
            problem = f"{os.path.relpath(file, path.parent)} is not there"
            reading.leave_out(BadInput(path, problem, place=f"file group {chosen}",
                                       expected="the whole workspace"))  # fmt: skip
    for group in groups.values():
        for address in group.remote:
            reading.remark(path, "file that is not in the folder", address)


def contents(path: Path) -> list[Path]:
    """All PAGE and ALTO files of the workspace, of whichever group."""
    return [file for group in _groups(path).values() for file in (*group.pages, *group.altos)]


def _groups(path: Path) -> dict[str, FileGroup]:
    root = read_tree(read_bytes(path), path).root
    if root.name != "mets":
        raise BadInput(path, f"the root is {root.name}", place="line 1", expected="mets")
    order = {node.get("FILEID"): place for place, node in enumerate(_pointers(root))}
    groups: dict[str, FileGroup] = {}
    for node in (node for node in root.walk() if node.name == "fileGrp"):
        group = groups.setdefault(node.get("USE") or node.get("ID"), FileGroup())
        for file in sorted(
            node.all("file"), key=lambda each: order.get(each.get("ID"), len(order))
        ):
            _take(file, path, group)
    return groups


def _take(node: Node, path: Path, group: FileGroup) -> None:
    """Put a ``file`` where it belongs by its content, or by its type where it is not there."""
    named = [
        value
        for location in node.all("FLocat")
        for key, value in location.attributes.items()
        if key.rpartition("}")[2] == "href" and value
    ]
    if not named:
        raise BadInput(path, "the file has no FLocat with a href", place=node.place,
                       expected="a path")  # fmt: skip
    possible = [place for name in named for place in _places(name, path.parent)]
    there = next((place for place in possible if is_file(place)), None)
    kind = node.get("MIMETYPE") if there is None else _kind(there)
    place = there or next(iter(possible), None)
    if kind == _PAGE and place is not None:
        group.pages.append(place)
    elif kind in _ALTO and place is not None:
        group.altos.append(place)
    elif there is None and not kind.startswith("image/"):
        group.remote.append(named[0])
    else:
        group.others += 1


def _kind(file: Path) -> str:
    """The MIME type that a file deserves, of those that matter."""
    try:
        with open_file(file) as content:
            head = content.read(4096)
    except OSError:
        return ""
    if looks_like_page(head):
        return _PAGE
    return _ALTO[0] if root_name(head) == "alto" else ""


def _places(name: str, folder: Path) -> Iterator[Path]:
    """Paths at which a named file may lie, also after it was moved together with the folder."""
    if "://" in name.removeprefix("file://"):
        yield folder / Path(name).name
        return
    for spelling in dict.fromkeys((name, unquote(name))):
        plain = spelling.removeprefix("file://").replace("\\", "/")
        yield folder / plain
        parts = [part for part in plain.split("/") if part not in ("", ".", "..")]
        yield from (folder.joinpath(*parts[first:]) for first in range(len(parts)))


def _pointers(root: Node) -> list[Node]:
    return [node for node in root.walk() if node.name in ("fptr", "area")]


def _sniff(path: Path, head: bytes) -> bool:
    return root_name(head) == "mets" and _NAMESPACE in head


FORMAT = Format(
    "mets", "METS", (".xml",), _sniff, read, many_pages=True,
    contents=contents, elements=ELEMENTS,
)  # fmt: skip
