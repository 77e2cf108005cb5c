"""METS of OCR-D, in: the PAGE files of one of its file groups.

A workspace has its versions of the same pages in file groups: images, ground truth, results of each
step. One group is read: the one that is named, else the only one whose name says that it is ground
truth ("GT"), else the only one with PAGE files.
"""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import unquote

from spotlab.errors import BadInput
from spotlab.files import is_file
from spotlab.formats.page.foreign_shapes import root_name
from spotlab.formats.page.xml_tree import Node, read_tree
from spotlab.formats.rows.files import read_bytes
from spotlab.formats.rows.reading import Reading
from spotlab.formats.truth import page_xml
from spotlab.formats.truth.format import Format
from spotlab.model import Truth

_PAGE = "application/vnd.prima.page+xml"
_NAMESPACE = b"http://www.loc.gov/METS"
_TRUTH = "GT"  # of a group's name, between hyphens


def page_groups(path: Path) -> dict[str, list[Path]]:
    """The PAGE files of each file group, in the order of the physical pages.

    Raises
    ------
    BadInput
        It is not METS, or a file has no place.
    """
    return {name: files for name, (files, _) in _groups(path).items() if files}


def group_for(path: Path, name: str = "") -> str:
    """The file group that is read: the named one, else the one that is the ground truth.

    Raises
    ------
    BadInput
        There is no such group, none with PAGE files, or several of which none is to be preferred.
    """
    groups = page_groups(path)
    if not groups:
        raise BadInput(path, "no file group has PAGE files", place="fileSec",
                       expected=f"files of the type {_PAGE}")  # fmt: skip
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
    chosen = group_for(path, reading.file_group)
    groups = _groups(path)
    found: list[Truth] = []
    for file in reading.track(groups[chosen][0], path):
        with reading.item():
            if not is_file(file):
                raise BadInput(path, f"{os.path.relpath(file, path.parent)} is not there",
                               place=f"file group {chosen}",
                               expected="the whole workspace")  # fmt: skip
            found += page_xml.FORMAT.read_file(file, reading.quiet())
    for name, (files, others) in groups.items():
        if files and name != chosen:
            reading.pass_over(path, "PAGE file of another file group", count=len(files))
        if others:
            reading.pass_over(path, "file of another type", count=len(others))
    return found


def contents(path: Path) -> list[Path]:
    """All PAGE and ALTO files of the workspace, of whichever group."""
    return [file for files, others in _groups(path).values() for file in (*files, *others)]


def _groups(path: Path) -> dict[str, tuple[list[Path], list[Path]]]:
    """Of each file group its PAGE files in the order of the pages, and its other files."""
    root = read_tree(read_bytes(path), path).root
    if root.name != "mets":
        raise BadInput(path, f"the root is {root.name}", place="line 1", expected="mets")
    order = {node.get("FILEID"): place for place, node in enumerate(_pointers(root))}
    groups: dict[str, tuple[list[Path], list[Path]]] = {}
    for group in (node for node in root.walk() if node.name == "fileGrp"):
        files, others = groups.setdefault(group.get("USE"), ([], []))
        nodes = sorted(group.all("file"), key=lambda node: order.get(node.get("ID"), len(order)))
        for node in nodes:
            place = _place(node, path)
            (files if node.get("MIMETYPE") == _PAGE else others).append(place)
    return groups


def _pointers(root: Node) -> list[Node]:
    return [node for node in root.walk() if node.name == "fptr"]


def _place(node: Node, path: Path) -> Path:
    """The local file of a ``file``: the one that is there, else the first that is named."""
    named = [
        value
        for location in node.all("FLocat")
        for key, value in location.attributes.items()
        if key.rpartition("}")[2] == "href" and value
    ]
    if not named:
        raise BadInput(path, "the file has no FLocat with a href", place=node.place,
                       expected="a path")  # fmt: skip
    local = [
        name.removeprefix("file://") for name in named if "://" not in name.removeprefix("file://")
    ]
    spellings = [path.parent / spelling for name in local for spelling in (name, unquote(name))]
    there = [place for place in spellings if is_file(place)]
    return (there or spellings or [path.parent / Path(named[0]).name])[0]


def _sniff(path: Path, head: bytes) -> bool:
    return root_name(head) == "mets" and _NAMESPACE in head


FORMAT = Format(
    "mets", "METS of OCR-D", (".xml",), _sniff, read, many_pages=True,
    contents=contents,
)  # fmt: skip
