"""Makes a Debian package of the folder that `make build` has made."""

from __future__ import annotations

import gzip
import os
import shutil
import subprocess
import sys
from datetime import datetime
from email.utils import format_datetime
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from build import FOLDER, HERE, OUT, ROOT, last_commit, size
from completions import PLACES, completion
from man_page import man_page
from spotlab import __version__
from system_packages import ELF, depends

ADDRESS = os.environ.get(
    "SPOTLAB_ADDRESS", ""
)  # of the repository, as the workflow of releases knows it
SHOWN = ("annotate", "inspect", "words", "systems")  # workspaces in software centres
CONTROL = """Package: spotlab
Version: {version}
Architecture: amd64
Maintainer: The spotlab developers <spotlab@localhost>
Installed-Size: {size}
Section: science
Priority: optional
Depends: {depends}
Recommends: shared-mime-info, desktop-file-utils, hicolor-icon-theme
Suggests: tesseract-ocr, xdg-utils
Description: draw truth of document images, evaluate spotting systems
 spotlab is a desktop program and a command line for people who build or
 evaluate spotting systems: programs that find every instance of a drawn
 symbol or a written word in document images. It draws and checks ground
 truth, inspects runs, searches words, and compares systems with truth,
 with uncertain truth and without.
 .
 The package holds its own Python and libraries.
"""
CHANGES = """spotlab ({version}) stable; urgency=medium

  * See NEWS.gz beside this file.

 -- The spotlab developers <spotlab@localhost>  {date}
"""
COPYRIGHT = """spotlab is under the MIT licence:

{licence}
Third-party software in this package, with its licences, is listed in
/usr/share/doc/spotlab/THIRD_PARTY_NOTICES.txt.gz
"""


def main() -> str | None:
    """Make the package; returns what hinders."""
    if not FOLDER.is_dir():
        return "there is no build/dist/spotlab: make build makes it"
    if shutil.which("dpkg-deb") is None or shutil.which("objdump") is None:
        return "a Debian package needs dpkg-deb and objdump (packages dpkg and binutils)"
    package = make_deb(FOLDER, OUT, __version__, last_commit()[0])
    print(f"wrote {package.relative_to(ROOT)}, {package.stat().st_size / 1e6:,.0f} MB")
    return None


def make_deb(folder: Path, out: Path, version: str, date: str) -> Path:
    """Pack the one-folder build, with what integrates it into a desktop and shells.

    Parameters
    ----------
    folder : Path
        The one-folder build.
    out : Path
        Folder for the package.
    version, date : str
        Of the release.

    Returns
    -------
    Path
        The package.
    """
    tree = out / "deb"
    shutil.rmtree(tree, ignore_errors=True)
    shutil.copytree(folder, tree / "usr/lib/spotlab", symlinks=True)
    (tree / "usr/bin").mkdir(parents=True)
    (tree / "usr/bin/spotlab").symlink_to("../lib/spotlab/spotlab")
    for place, text in _texts(folder, version, date).items():
        target = tree / place
        target.parent.mkdir(parents=True, exist_ok=True)
        content = text.encode()
        target.write_bytes(gzip.compress(content, mtime=0) if place.endswith(".gz") else content)
        target.chmod(0o644)
    (tree / "usr/lib/spotlab/THIRD_PARTY_NOTICES.txt").unlink()
    for file in tree.rglob("*"):
        if not file.is_symlink():
            file.chmod(0o755 if file.is_dir() or _is_run(file) else 0o644)
    control = CONTROL.format(
        version=version, size=size(tree) // 1024, depends=", ".join(depends(folder))
    )
    (tree / "DEBIAN").mkdir(mode=0o755)
    (tree / "DEBIAN/control").write_text(control)
    package = out / f"spotlab_{version}_amd64.deb"
    command = [
        "dpkg-deb",
        "--root-owner-group",
        "-Zzstd",
        "-z12",
        "--build",
        str(tree),
        str(package),
    ]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    shutil.rmtree(tree)
    return package


def own_id(address: str = ADDRESS) -> str:
    """The name of the program in software centres, the other way round as hosts are.

    Parameters
    ----------
    address : str
        Of the repository that builds the package; where it has none, nobody else can have the name.

    Examples
    --------
    >>> own_id("https://github.com/somebody/spotlab")
    'io.github.somebody.spotlab'
    """
    host, _, path = address.partition("://")[2].partition("/")
    if not path:
        return "localhost.spotlab.spotlab"
    owner, _, name = path.replace("-", "_").partition("/")
    site = {"github.com": "io.github"}.get(host, ".".join(reversed(host.split("."))))
    return f"{site}.{owner}.{name}".lower()


def metainfo(version: str, date: str, address: str = ADDRESS) -> str:
    """What software centres show; pictures and links where the repository has an address."""
    text = (HERE / "linux" / "spotlab.metainfo.xml").read_text("utf-8")
    links = ""
    if address:
        places = [f"{address}/raw/HEAD/resources/help/pictures/{name}-light.png" for name in SHOWN]
        shown = [
            f"    <screenshot{' type=' + quoteattr('default') if not number else ''}>\n"
            f"      <image>{escape(place)}</image>\n    </screenshot>\n"
            for number, place in enumerate(places)
        ]
        links = f'  <url type="homepage">{escape(address)}</url>\n'
        links += f"  <screenshots>\n{''.join(shown)}  </screenshots>\n"
    values = {"id": own_id(address), "version": version, "date": date, "addresses": links}
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", value)
    return text


def _is_run(file: Path) -> bool:
    """Whether a file is a program; libraries and licences are marked as such by mistake."""
    if not file.stat().st_mode & 0o100 or ".so" in file.name:
        return False
    with file.open("rb") as opened:
        return opened.read(4).startswith((ELF, b"#!"))


def _texts(folder: Path, version: str, date: str) -> dict[str, str]:
    """The files besides the program, by their places below the root."""
    linux = HERE / "linux"
    licence = (ROOT / "LICENSE").read_text("utf-8")
    return {
        "usr/share/applications/spotlab.desktop": (linux / "spotlab.desktop").read_text("utf-8"),
        "usr/share/mime/packages/spotlab.xml": (linux / "spotlab.xml").read_text("utf-8"),
        f"usr/share/metainfo/{own_id()}.metainfo.xml": metainfo(version, date),
        "usr/share/icons/hicolor/scalable/apps/spotlab.svg": (
            (ROOT / "resources/icon/spotlab.svg").read_text("utf-8")
        ),
        "usr/share/man/man1/spotlab.1.gz": man_page(date),
        "usr/share/doc/spotlab/copyright": COPYRIGHT.format(licence=licence),
        "usr/share/doc/spotlab/changelog.gz": CHANGES.format(
            version=version, date=format_datetime(datetime.fromisoformat(f"{date}T12:00:00Z"))
        ),
        "usr/share/doc/spotlab/NEWS.gz": (ROOT / "CHANGELOG.md").read_text("utf-8"),
        "usr/share/lintian/overrides/spotlab": (linux / "lintian-overrides").read_text("utf-8"),
        "usr/share/doc/spotlab/THIRD_PARTY_NOTICES.txt.gz": (
            (folder / "THIRD_PARTY_NOTICES.txt").read_text("utf-8")
        ),
        **{place: completion(shell) for shell, place in PLACES.items()},
    }


if __name__ == "__main__":
    sys.exit(main())
