"""Installs the wheel of a folder in one of the ways and does a newcomer's first jobs with it.

Then it runs the pages of the documentation that name this way.

python resources/packaging/try_wheel.py base|gui|frames|target FOLDER
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import venv
from collections.abc import Sequence
from pathlib import Path

from documented_blocks import environment, pages

WAYS = {
    "base": "spotlab", "gui": "spotlab[gui]", "frames": "spotlab[gui,frames,parquet]",
    "target": "spotlab[gui]",
}  # fmt: skip
MOST = {"base": 300, "gui": 820, "target": 820}  # MB of all that is installed, without pip
BLOCKS = Path(__file__).resolve().with_name("documented_blocks.py")


Command = Sequence[str | Path]


def run(command: Command, fails: bool = False, **more: str) -> str:
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
    settings = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONUTF8": "1", **more}
    done = subprocess.run(
        [str(each) for each in command],
        env=settings,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode != (2 if fails else 0):
        sys.exit(f"{done.stdout[-4000:]}\n{done.stderr[-4000:]}\nended with {done.returncode}")
    return done.stdout + done.stderr


def installed(way: str, wheel: Path, folder: Path) -> tuple[Path, dict[str, str], Path]:
    """Install; return the Python that has spotlab, its variables, and where the packages are."""
    made = venv.EnvBuilder(with_pip=True)
    made.create(folder / "venv")
    python = Path(made.ensure_directories(folder / "venv").env_exe)
    pip = [python, "-m", "pip", "install", "--quiet"]
    package = WAYS[way].replace("spotlab", str(wheel))
    if way != "target":
        run([*pip, package])
        site = run([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"])
        return python, {}, Path(site.strip())
    run([*pip, "--target", folder / "x", package])
    (folder / "pyproject.toml").write_text("[project]\nname = 'mine'\n")
    return python, {"PYTHONPATH": str(folder / "x")}, folder / "x"


def megabytes(site: Path) -> float:
    """Size of the packages but pip and setuptools, which an environment has before."""
    files = [
        file
        for file in site.rglob("*")
        if file.is_file()
        and not file.relative_to(site).parts[0].startswith(("pip", "setuptools", "pkg_resources"))
    ]
    return sum(file.stat().st_size for file in files) / 1e6


def first_jobs(spotlab: Command, site: Path, with_images: bool, variables: dict[str, str]) -> None:
    """Do what a newcomer does, in the current folder."""
    samples = site / "spotlab" / "shipped" / "datasets"
    plans, letter = samples / "floorplans", samples / "manuscript" / "letter_001.jpg"
    evaluate = ("evaluate", "--truth", plans, "--run", plans / "runs" / "b_hu.csv")
    run([*spotlab, *evaluate, "--draws", "0", "--out", "report"], **variables)
    assert Path("report", "report.html").is_file()
    words = ("spot", "words", "--query", "orders", "--pages", letter, "--out", "found.csv")
    said = run([*spotlab, *words], fails=not with_images, **variables)
    assert Path("found.csv").is_file() or "pip install 'spotlab[images]'" in said, said
    if with_images:
        run([*spotlab, "demo", "--headless", "--out", "pictures"], **variables)
        assert len(list(Path("pictures").glob("*.png"))) == 4


def main() -> None:
    """Try it; end with what went wrong."""
    way, folder = sys.argv[1], Path(sys.argv[2])
    wheel = next(folder.glob("spotlab-*.whl")).resolve()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as made:
        place = Path(made)
        os.chdir(place)
        python, variables, site = installed(way, wheel, place)
        first_jobs([python, "-m", "spotlab"], site, way != "base", variables)
        size = megabytes(site)
        print(f"{way}: {size:,.0f} MB", flush=True)
        if size > MOST.get(way, size):
            sys.exit(f"more than {MOST[way]} MB")
        for name, page in pages().items():
            if environment(page.read_text("utf-8")) == WAYS[way]:
                (place / name).mkdir()
                os.chdir(place / name)
                run([python, BLOCKS, page], **variables)
        os.chdir(place.parent)  # Windows removes no folder that somebody is in


if __name__ == "__main__":
    main()
