"""Makes a folder that holds all that spotlab needs, for people without Python.

`make build` runs this file in an environment that holds no more than it needs.
"""

from __future__ import annotations

import compileall
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from py_compile import PycInvalidationMode

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
OUT = ROOT / "build"
FOLDER = OUT / "dist" / "spotlab"
BULKY = ("libpython*.so*", "libllvmlite.so", "libarrow.so*")  # symbols nobody loads: 45 MB
# where packages came from, and lists of their files: nothing here reads them
INSTALLER_NOTES = ("direct_url.json", "SOURCES.txt", "RECORD", "INSTALLER", "REQUESTED")
COPIES = ("pyarrow/libarrow_python.so", "pyarrow/libarrow_python.so.*.*.*")  # of …so.NUMBER

from notices import notices  # noqa: E402 - of this folder


def main() -> None:
    """Build the folder, and say how large it is."""
    date, commit = last_commit()
    build_folder(f"build of {date} from {commit}")
    print(f"wrote {FOLDER.relative_to(ROOT)}, {size(FOLDER) / 1e6:,.0f} MB")


def build_folder(made: str) -> None:
    """Run PyInstaller, add what it does not, and remove what nobody reads.

    Parameters
    ----------
    made : str
        What *Help → About spotlab* says of this build.
    """
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "ERROR"]
    command += ["--distpath", str(FOLDER.parent), "--workpath", str(OUT / "pyinstaller")]
    subprocess.run([*command, str(HERE / "spotlab.spec")], check=True)
    finish(made)


def finish(made: str) -> None:
    """Add what PyInstaller does not, and remove what nobody reads."""
    inside = FOLDER / "_internal"
    (inside / "spotlab" / "build.txt").write_text(made + "\n", "utf-8")
    (FOLDER / "THIRD_PARTY_NOTICES.txt").write_text(notices(), "utf-8")
    shutil.copy(ROOT / "LICENSE", FOLDER / "LICENSE")
    for name in INSTALLER_NOTES:
        for folder in ("*.dist-info", "*.egg-info"):
            for file in inside.glob(f"{folder}/{name}"):
                file.unlink()
    for pattern in COPIES:
        for file in inside.glob(pattern):
            file.unlink()
    if shutil.which("strip"):
        libraries = [file for name in BULKY for file in inside.rglob(name)]
        libraries = [file for file in libraries if not file.is_symlink()]
        subprocess.run(["strip", "--strip-unneeded", *libraries], check=True)
    # nobody may write there later, and compiling at each start takes seconds
    compileall.compile_dir(
        inside / "spotlab",
        quiet=1,
        stripdir=str(FOLDER),
        invalidation_mode=PycInvalidationMode.UNCHECKED_HASH,
    )


def last_commit() -> tuple[str, str]:
    """Date and short name of the commit that is built; outside a repository, today's date."""
    command = ["git", "-C", str(ROOT), "log", "-1", "--format=%cs %h"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    date, _, commit = done.stdout.strip().partition(" ")
    return (date, commit) if done.returncode == 0 else (f"{datetime.now(UTC):%Y-%m-%d}", "sources")


def size(folder: Path) -> int:
    """Bytes of all files of a folder."""
    files = [file for file in folder.rglob("*") if file.is_file() and not file.is_symlink()]
    return sum(file.stat().st_size for file in files)


if __name__ == "__main__":
    main()
