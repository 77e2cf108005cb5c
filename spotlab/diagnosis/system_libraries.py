"""Names the system libraries that the window needs and does not find, by Debian package.

`make` runs this file before there is an environment, with any Python: only the standard library,
no import of spotlab, no syntax newer than 3.7.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import shutil
import subprocess
import sys
import time

TOLD_EACH = 5  # s between two lines while packages are installed
OFFSCREEN = {
    "libgl1": ["libGL.so.1"],
    "libegl1": ["libEGL.so.1"],
    "libxkbcommon0": ["libxkbcommon.so.0"],
    "libglib2.0-0": ["libglib-2.0.so.0", "libgthread-2.0.so.0"],
    "libfontconfig1": ["libfontconfig.so.1"],  # brings the DejaVu fonts along
    "libdbus-1-3": ["libdbus-1.so.3"],
}
X11 = {
    "libxkbcommon-x11-0": ["libxkbcommon-x11.so.0"],
    "libxcb-cursor0": ["libxcb-cursor.so.0"],
    "libxcb-icccm4": ["libxcb-icccm.so.4"],
    "libxcb-keysyms1": ["libxcb-keysyms.so.1"],
    "libxcb-shape0": ["libxcb-shape.so.0"],
}
WAYLAND = {
    "libwayland-client0": ["libwayland-client.so.0"],
    "libwayland-cursor0": ["libwayland-cursor.so.0"],
}


def missing_packages(display: bool = False) -> list[str]:
    """The Debian packages whose libraries cannot be loaded.

    Parameters
    ----------
    display : bool
        Look also for what a window on the display that there is needs, not only for what drawing
        without a display needs.

    Returns
    -------
    list of str
        Empty on systems other than Linux, where Qt brings what it needs.
    """
    if not sys.platform.startswith("linux"):
        return []
    wanted = dict(OFFSCREEN)
    if display and os.environ.get("DISPLAY"):
        wanted.update(X11)
    elif display and os.environ.get("WAYLAND_DISPLAY"):
        wanted.update(WAYLAND)
    return [package for package, names in wanted.items() if not all(map(_loads, names))]


def install_line(packages: list[str]) -> str:
    """The command that installs the packages on Debian and its relatives."""
    return "apt-get install -y --no-install-recommends " + " ".join(packages)


def _loads(name: str) -> bool:
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True


def main() -> str | None:
    """Install what is missing as root; return a message where that is somebody else's to do."""
    if sys.version_info < (3, 11):  # noqa: UP036 - this is who says so
        found = ".".join(map(str, sys.version_info[:3]))
        return f"spotlab needs Python 3.11 or newer and this is {found}: make PYTHON=python3.11 …"
    packages = missing_packages(display="--display" in sys.argv)
    if importlib.util.find_spec("ensurepip") is None:
        packages.append("python3-venv")
    if not packages:
        return None
    if os.geteuid() or not shutil.which("apt-get"):
        return "spotlab needs some system libraries; as root: " + install_line(packages)
    print("Installing system libraries:", *packages, flush=True)
    for command in ("apt-get update", install_line(packages)):
        said, code = _run([*command.split(), "-q"])
        if code:
            return "".join(said[-20:]) + "this failed: " + command
    return None


def _run(command: list[str]) -> tuple[list[str], int]:
    """Lines and exit code of a command; some of the lines are printed while it runs."""
    said, told = [], time.monotonic()
    with subprocess.Popen(
        command,
        env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        universal_newlines=True,
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            said.append(line)
            if line.startswith("Need to get") or time.monotonic() - told > TOLD_EACH:
                print("  " + line.strip(), flush=True)
                told = time.monotonic()
    return said, process.returncode


if __name__ == "__main__":
    sys.exit(main())
