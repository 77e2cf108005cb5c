"""Names the Debian packages whose libraries a build needs and does not hold itself."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

from spotlab.diagnosis.system_libraries import OFFSCREEN, WAYLAND, X11

ELF = b"\x7fELF"
AT_A_TIME = 200  # files that objdump looks at
GLIBC = re.compile(r"GLIBC_(\d+)\.(\d+)\b")
# of the package of every library that may be needed; Debian 13 calls some by another name
PACKAGES = {
    "ld-linux-x86-64": "libc6", "libc": "libc6", "libdl": "libc6", "libm": "libc6",
    "libpthread": "libc6", "librt": "libc6", "libutil": "libc6", "libcrypt": "libcrypt1",
    "libgcc_s": "libgcc-s1", "libstdc++": "libstdc++6", "libz": "zlib1g",
    "libEGL": "libegl1", "libGL": "libgl1", "libGLX": "libglx0", "libOpenGL": "libopengl0",
    "libX11": "libx11-6", "libX11-xcb": "libx11-xcb1", "libXext": "libxext6",
    "libdbus-1": "libdbus-1-3", "libdrm": "libdrm2", "libfontconfig": "libfontconfig1",
    "libfreetype": "libfreetype6", "libgbm": "libgbm1", "libzstd": "libzstd1",
    "libglib-2.0": "libglib2.0-0t64 | libglib2.0-0",
    "libgio-2.0": "libglib2.0-0t64 | libglib2.0-0",
    "libgobject-2.0": "libglib2.0-0t64 | libglib2.0-0",
    "libgthread-2.0": "libglib2.0-0t64 | libglib2.0-0",
    "libvulkan": "libvulkan1",
    "libwayland-client": "libwayland-client0", "libwayland-cursor": "libwayland-cursor0",
    "libwayland-egl": "libwayland-egl1",
    "libxcb": "libxcb1", "libxcb-cursor": "libxcb-cursor0", "libxcb-glx": "libxcb-glx0",
    "libxcb-icccm": "libxcb-icccm4", "libxcb-image": "libxcb-image0",
    "libxcb-keysyms": "libxcb-keysyms1", "libxcb-randr": "libxcb-randr0",
    "libxcb-render": "libxcb-render0", "libxcb-render-util": "libxcb-render-util0",
    "libxcb-shape": "libxcb-shape0", "libxcb-shm": "libxcb-shm0", "libxcb-sync": "libxcb-sync1",
    "libxcb-util": "libxcb-util1", "libxcb-xfixes": "libxcb-xfixes0",
    "libxcb-xinput": "libxcb-xinput0", "libxcb-xkb": "libxcb-xkb1",
    "libxkbcommon": "libxkbcommon0", "libxkbcommon-x11": "libxkbcommon-x11-0",
}  # fmt: skip
# what is loaded late, so that no library names it
LATE = [*OFFSCREEN, *X11, *WAYLAND]
FONTS = "fonts-dejavu-core | fonts-freefont-ttf"


def depends(folder: Path) -> list[str]:
    """The line *Depends* of a package that holds the folder, an entry each, in order.

    Parameters
    ----------
    folder : Path
        A one-folder build.

    Raises
    ------
    LookupError
        A library is needed whose package is not known.
    """
    needed, glibc = needs(folder)
    newer = {names.split(" | ")[-1]: names for names in PACKAGES.values()}
    entries = {newer.get(name, name) for name in LATE} | set(packages_of(needed)) | {FONTS}
    libc = f"libc6 (>= {glibc[0]}.{glibc[1]})"
    return sorted(libc if entry == "libc6" else entry for entry in entries)


def packages_of(libraries: Iterable[str]) -> list[str]:
    """The Debian packages that hold these libraries.

    Parameters
    ----------
    libraries : iterable of str
        As in "libX11.so.6".

    Raises
    ------
    LookupError
        The package of one is not known.
    """
    names = {library: library.partition(".so")[0] for library in libraries}
    unknown = sorted(library for library, name in names.items() if name not in PACKAGES)
    if unknown:
        raise LookupError(f"add the packages of {', '.join(unknown)} to PACKAGES")
    return sorted({PACKAGES[name] for name in names.values()})


def needs(folder: Path) -> tuple[set[str], tuple[int, int]]:
    """What the files of a folder need of the system.

    Returns
    -------
    (set of str, (int, int))
        Shared libraries that are not in the folder, and the version of the C library.
    """
    files = [str(file) for file in folder.rglob("*") if file.is_file() and is_library(file)]
    needed: set[str] = set()
    glibc = (2, 0)
    for start in range(0, len(files), AT_A_TIME):
        command = ["objdump", "-p", *files[start : start + AT_A_TIME]]
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        needed |= set(re.findall(r"NEEDED\s+(\S+)", text))
        glibc = max([glibc, *((int(major), int(minor)) for major, minor in GLIBC.findall(text))])
    return needed - {file.name for file in folder.rglob("*")}, glibc


def is_library(file: Path) -> bool:
    """Whether a file is a program or a library of the system's format."""
    if ".so" not in file.name and file.suffix:
        return False
    with file.open("rb") as opened:
        return opened.read(len(ELF)) == ELF
