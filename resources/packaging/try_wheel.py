"""Installs the wheel of a folder in one of three ways and does a newcomer's first jobs with it.

python resources/packaging/try_wheel.py base|gui|target FOLDER
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import venv
from collections.abc import Sequence
from pathlib import Path

MOST = {"base": 300, "gui": 800, "target": 800}  # MB of all that is installed, without pip


def run(command: Sequence[str | Path], fails: bool = False, **more: str) -> str:
    """Run a command; return what it prints.

    Parameters
    ----------
    command : sequence of str or Path
    fails : bool
        Whether it has to end with code 2.
    **more : str
        Variables of its environment.

    Raises
    ------
    SystemExit
        It ended in another way.
    """
    print("$", *command, flush=True)
    settings = {**os.environ, "QT_QPA_PLATFORM": "offscreen", **more}
    done = subprocess.run(
        [str(each) for each in command], env=settings, capture_output=True, text=True, check=False
    )
    if done.returncode != (2 if fails else 0):
        sys.exit(f"{done.stdout[-4000:]}\n{done.stderr[-4000:]}\nended with {done.returncode}")
    return done.stdout + done.stderr


def installed(way: str, wheel: Path, folder: Path) -> tuple[list[str | Path], dict[str, str], Path]:
    """Install; return the command of spotlab, its variables, and where the packages are."""
    made = venv.EnvBuilder(with_pip=True)
    made.create(folder / "venv")
    python = made.ensure_directories(folder / "venv").env_exe
    pip = [python, "-m", "pip", "install", "--quiet"]
    if way != "target":
        run([*pip, f"{wheel}[gui]" if way == "gui" else wheel])
        site = run([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"])
        return [python, "-m", "spotlab"], {}, Path(site.strip())
    run([*pip, "--target", folder / "x", f"{wheel}[gui]"])
    (folder / "pyproject.toml").write_text("[project]\nname = 'mine'\n")
    return [python, "-m", "spotlab"], {"PYTHONPATH": str(folder / "x")}, folder / "x"


def megabytes(site: Path) -> float:
    """Size of the packages but pip and setuptools, which an environment has before."""
    files = [
        file
        for file in site.rglob("*")
        if file.is_file()
        and not file.relative_to(site).parts[0].startswith(("pip", "setuptools", "pkg_resources"))
    ]
    return sum(file.stat().st_size for file in files) / 1e6


def main() -> None:
    """Try it; end with what went wrong."""
    way, folder = sys.argv[1], Path(sys.argv[2])
    wheel = next(folder.glob("spotlab-*.whl")).resolve()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as made:
        place = Path(made)
        os.chdir(place)
        command, variables, site = installed(way, wheel, place)
        samples = site / "spotlab" / "shipped" / "datasets"
        plans, letter = samples / "floorplans", samples / "manuscript" / "letter_001.jpg"

        def spotlab(*arguments: str | Path, fails: bool = False) -> str:
            return run([*command, *arguments], fails, **variables)

        run_file = plans / "runs" / "b_hu.csv"
        spotlab("evaluate", "--truth", plans, "--run", run_file, "--draws", "0", "--out", "report")
        assert Path("report", "report.html").is_file()
        words = ("spot", "words", "--query", "orders", "--pages", letter, "--out", "found.csv")
        said = spotlab(*words, fails=way == "base")
        assert Path("found.csv").is_file() or "pip install 'spotlab[images]'" in said, said
        if way != "base":
            spotlab("demo", "--headless", "--out", "pictures")
            assert len(list(Path("pictures").glob("*.png"))) == 4
        size = megabytes(site)
        print(f"{way}: {size:,.0f} MB", flush=True)
        if size > MOST[way]:
            sys.exit(f"more than {MOST[way]} MB")


if __name__ == "__main__":
    main()
