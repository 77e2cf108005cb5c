"""Writes the notices of the packages that a build holds, from the metadata of what is installed."""

from __future__ import annotations

import re
import sysconfig
from collections.abc import Iterable
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

LICENCE = re.compile(r"(licen[cs]e|copying|notice)", re.IGNORECASE)
LICENCES = Path(__file__).with_name("licences")
ROOTS = ("spotlab",)
EXTRAS = ("images", "fast", "parquet", "gui")
CODE = (".py", ".pyc", ".pyi", ".json", ".so")
RULE = "=" * 78
HEAD = """Third-party software in this build of spotlab

spotlab itself is under the MIT licence. This build also holds the software below, each under its
own licence.

Qt, PySide6 and Shiboken are under the GNU Lesser General Public License, version 3; its text, and
that of the GNU General Public License that it refers to, are at the end. They stand in this folder
as separate shared libraries, below _internal/PySide6 and _internal/shiboken6. You may replace them
by other versions with the same interface, and you may study how spotlab works with them for that.
The Qt Project offers their sources, of the version that is named below, at
https://download.qt.io/official_releases/ and lists the software that Qt itself holds at
https://doc.qt.io/qt-6/licenses-used-in-qt.html.

GEOS, in shapely.libs, and FFmpeg, in opencv_python_headless.libs, are under the GNU Lesser General
Public License, version 2.1, and are separate shared libraries, too.

PyInstaller has put the program together. Its loader is under the GNU General Public License, with
an exception that allows to distribute what it builds under any licence.
"""


def packages(roots: Iterable[str] = ROOTS, extras: Iterable[str] = EXTRAS) -> list[Distribution]:
    """The packages that these need, and all that those need, in alphabetical order.

    Parameters
    ----------
    roots : iterable of str
        They are left out themselves.
    extras : iterable of str
        Those of the roots that are wanted.
    """
    own = {name.lower() for name in roots}
    found: dict[str, Distribution] = {}
    waiting = [(name, set(extras)) for name in own]
    while waiting:
        name, wanted = waiting.pop()
        try:
            made = distribution(name)
        except PackageNotFoundError:
            continue
        for line in made.requires or ():
            needed = _needed(line, wanted)
            if needed and needed not in found and needed not in own:
                waiting.append((needed, set()))
        if name not in own:
            found[name] = made
    return [found[name] for name in sorted(found)]


def _needed(line: str, extras: set[str]) -> str:
    """The name that a requirement asks for; "" where it is of an extra that is not wanted."""
    extra = re.search(r"""extra == ["']([\w-]+)["']""", line)
    if extra and extra.group(1) not in extras:
        return ""
    name = re.split(r"[^\w.-]", line, maxsplit=1)[0]
    return re.sub(r"[-_.]+", "-", name).lower()


def licence_of(package: Distribution) -> str:
    """What a package says of its licence, in short."""
    about = package.metadata
    classifiers = [
        line.rpartition(" :: ")[2] for line in about.get_all("Classifier", []) if "License" in line
    ]
    text = about.get("License-Expression") or "; ".join(classifiers) or about.get("License") or ""
    return text.strip().splitlines()[0] if text.strip() else "see below"


def texts_of(package: Distribution) -> list[str]:
    """The texts of its licence files, each once."""
    files = [file for file in package.files or () if LICENCE.search("/".join(file.parts[-2:]))]
    files = [file for file in files if file.suffix not in CODE]
    places = [Path(str(package.locate_file(file))) for file in sorted(files)]
    texts = [place.read_text("utf-8", "replace").strip() for place in places if place.is_file()]
    return list(dict.fromkeys(texts))


def notices() -> str:
    """The whole text."""
    parts = [HEAD]
    for package in packages():
        title = f"{package.metadata['Name']} {package.version}: {licence_of(package)}"
        parts += [_headline(title), *(f"\n{text}\n" for text in texts_of(package))]
    for file in [Path(sysconfig.get_path("stdlib"), "LICENSE.txt"), *sorted(LICENCES.iterdir())]:
        title = "Python" if file.name == "LICENSE.txt" else file.name
        parts += [_headline(title), f"\n{file.read_text('utf-8')}\n"]
    return "".join(parts)


def _headline(title: str) -> str:
    return f"\n{RULE}\n{title}\n{RULE}\n"
