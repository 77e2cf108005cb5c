"""The program that `make build` has made: every command runs in it, also in a bare root.

``make smoke`` runs it where it was made. ``PROGRAM`` is a program that is installed elsewhere, and
``BARE_ROOT`` a folder with another system, in which both the program and its files are then: only
root can do that.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.soak.recipe_files import prepare
from tests.soak.recipes import RECIPES

FOLDER = Path(__file__).resolve().parents[2] / "build" / "dist" / "spotlab"
# what a build has not, and what waits for a person
LEFT_OUT = ("@cluster", "train symbols", "train words", "open", "demo")
COMMANDS = [name for name in RECIPES if not name.endswith(LEFT_OUT)]
LONGEST = 1800.0  # s, on a machine with much else to do

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Built:
    """The program, and the folders that its commands are given."""

    program: str
    root: Path
    made: Path  # on this machine
    samples: str  # as the program sees them

    def run(self, name: str, out: Path) -> subprocess.CompletedProcess[str]:
        """Run a command by its recipe, or ``name`` itself where there is none."""
        seen = {place: f"{self.samples}/{folder}" for place, folder in SAMPLES.items()}
        seen |= {"made": self.seen(self.made), "out": self.seen(out)}
        arguments = [*name.partition(" @")[0].split(), *RECIPES.get(name, "").split()]
        return self.call([argument.format(**seen) for argument in arguments])

    def call(self, arguments: list[str]) -> subprocess.CompletedProcess[str]:
        """Run it with nothing of this environment: no Python, no libraries of the tests."""
        bare = ["chroot", str(self.root)] if self.root != Path("/") else []
        home, path = self.seen(self.made.parent), f"/usr/bin:/bin:{self.seen(self.made)}/bin"
        return subprocess.run(
            [*bare, "/usr/bin/env", "-i", f"PATH={path}", "LC_ALL=C.UTF-8", f"HOME={home}",
             self.program, *arguments],
            capture_output=True, text=True, check=False, timeout=LONGEST,
        )  # fmt: skip

    def seen(self, place: Path) -> str:
        """A path as the program sees it."""
        return "/" + str(place.relative_to(self.root))


SAMPLES = {"plans": "floorplans", "letters": "manuscript", "votes": "votes"}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Built]:
    program = os.environ.get("PROGRAM") or str(FOLDER / "spotlab")
    root = Path(os.environ.get("BARE_ROOT") or "/").resolve()
    found = Path(root, program.lstrip("/"))
    if not (found.is_file() or found.is_symlink()):
        pytest.skip(f"there is no {program}: make build makes the folder")
    if root != Path("/") and os.geteuid():
        pytest.skip("only root can enter another root")
    target = found
    while target.is_symlink():
        target = Path(os.path.normpath(target.parent / os.readlink(target)))
    samples = target.parent / "_internal/spotlab/shipped/datasets"
    if root == Path("/"):
        folder = tmp_path_factory.mktemp("built")
        made = prepare(folder / "made")
        yield Built(program, root, made, str(samples))
        return
    folder = root / "tmp" / "built"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    yield Built(program, root, prepare(folder / "made"), f"/{samples.relative_to(root)}")
    shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_ends_well(built: Built, name: str) -> None:
    out = built.made.parent / "".join(character for character in name if character.isalnum())
    out.mkdir()
    done = built.run(name, out)
    assert done.returncode == 0, done.stderr[-2000:]
    assert "Traceback" not in done.stderr


def test_the_doctor_knows_the_build_and_finds_its_parts(built: Built) -> None:
    done = built.call(["doctor", "--json", "-"])
    findings = {found["name"]: found for found in json.loads(done.stdout)["findings"]}
    assert "build of" in findings["spotlab"]["value"]
    for part in ("installation", "OpenCV", "doxapy", "Hershey-Fonts", "numba", "pyarrow"):
        assert findings[part]["state"] == "ok", findings[part]


def test_machine_code_is_compiled_and_found_again(built: Built) -> None:
    plans = f"{built.samples}/floorplans"
    symbols = ["spot", "symbols", "--query", "sofa", "--pages", plans, "--method", "e", "--out"]
    assert built.call([*symbols, built.seen(built.made.parent / "again.csv")]).returncode == 0
    findings = json.loads(built.call(["doctor", "--json", "-"]).stdout)["findings"]
    [code] = [found for found in findings if found["name"] == "machine code, chamfer"]
    assert code["value"].startswith("ready")


def test_files_of_parquet_are_written_and_read(built: Built) -> None:
    plans, out = f"{built.samples}/floorplans", built.made.parent / "run.parquet"
    run = f"{plans}/runs/a_ratios.csv"
    asked = ["spot", "symbols", "--query", "sofa", "--pages", plans, "--method", "a", "--out"]
    assert built.call([*asked, built.seen(out)]).returncode == 0
    evaluated = built.call(["evaluate", "--truth", plans, "--run", built.seen(out), "--run", run])
    assert evaluated.returncode == 0, evaluated.stderr


def test_a_window_opens_a_folder(built: Built) -> None:
    if sys.platform != "linux":
        pytest.skip("the display without a screen is Linux's here")
    bare = ["chroot", str(built.root)] if built.root != Path("/") else []
    with subprocess.Popen(
        [*bare, "/usr/bin/env", "-i", "PATH=/usr/bin:/bin", "QT_QPA_PLATFORM=offscreen",
         f"HOME={built.seen(built.made.parent)}", built.program, "open",
         f"{built.samples}/floorplans"],
        stderr=subprocess.PIPE, text=True,
    ) as window:  # fmt: skip
        with pytest.raises(subprocess.TimeoutExpired):
            window.wait(30)
        window.terminate()
        assert window.wait(30) in (0, 143)
        assert window.stderr is not None and "Traceback" not in window.stderr.read()
