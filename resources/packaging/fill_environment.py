"""Fills the environment of the Python that runs it by pip, and says every few seconds how far.

`make venv` runs this file before anything is installed: only the standard library, and no spotlab.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import threading
import time
from importlib.metadata import version
from pathlib import Path

OLDEST_PIP = (25, 1)  # the first that knows dependency groups
EACH = 5.0  # s between two lines while pip says nothing
DOWNLOAD = re.compile(r"\s*Downloading (\S+?)-[\d.]+\S* \((.+?)\)")


class Teller(threading.Thread):
    """Prints lines, and again how far it is where there is none for some seconds."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self._doing, self._told = "asking the package index", time.monotonic()
        self._folder = Path(sysconfig.get_path("purelib"))
        self._began, self._before = time.monotonic(), self._size()

    def say(self, doing: str, aloud: bool = True) -> None:
        """Take over what is being done now; aloud: print it at once."""
        self._doing = doing
        if aloud:
            print(f"  {doing}", flush=True)
            self._told = time.monotonic()

    def run(self) -> None:
        """Print a line each time that nothing was printed for a while."""
        while True:
            time.sleep(1)
            if time.monotonic() - self._told >= EACH:
                megabytes = max(self._size() - self._before, 0) / 1e6
                spent = time.monotonic() - self._began
                self.say(f"{self._doing.partition(';')[0]}; {megabytes:,.0f} MB, {spent:.0f} s")

    def _size(self) -> int:
        """Bytes of the environment's packages."""
        total = 0
        for place, _, files in os.walk(self._folder):
            for file in files:
                try:
                    total += os.lstat(os.path.join(place, file)).st_size
                except OSError:  # pip moves it
                    continue
        return total


def install(arguments: list[str], teller: Teller) -> int:
    """Run pip; return its exit code after its messages were printed if it failed.

    Parameters
    ----------
    arguments : list of str
        Of ``pip install``.
    teller : Teller
    """
    command = [sys.executable, "-m", "pip", "install", "--no-input", "--progress-bar", "off"]
    process = subprocess.Popen(
        [*command, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    said = []
    assert process.stdout is not None
    for line in process.stdout:
        said.append(line)
        tell(line, teller)
    if process.wait():
        sys.stderr.writelines(said[-20:])
    return process.returncode


def tell(line: str, teller: Teller) -> None:
    """Say what a line of pip's means.

    Parameters
    ----------
    line : str
        As in "Downloading numpy-2.4.0-cp311-….whl (16.6 MB)".
    teller : Teller
    """
    words = line.split()
    if (found := DOWNLOAD.match(line)) and "kB" not in found[2]:
        teller.say(f"downloading {found[1]}, {found[2]}")
    elif line.startswith("Collecting"):
        teller.say(f"finding {re.split('[^A-Za-z0-9._-]', words[1])[0]}", aloud=False)
    elif line.startswith("Installing collected packages"):
        teller.say(f"installing {line.count(',') + 1} packages")


def main() -> int:
    """Bring pip up to date where it is too old, then install what the command line names."""
    print(f"Filling {sys.prefix}; it takes some minutes and the network this once", flush=True)
    teller = Teller()
    teller.start()
    if tuple(map(int, version("pip").split(".")[:2])) < OLDEST_PIP:
        oldest = ".".join(map(str, OLDEST_PIP))
        if failed := install([f"pip>={oldest}"], teller):
            return failed
    return install(sys.argv[1:], teller)


if __name__ == "__main__":
    sys.exit(main())
