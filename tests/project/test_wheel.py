"""The wheel and the source distribution: what they hold, and what works where they are unpacked."""

from __future__ import annotations

import ast
import email
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest
import yaml

pytest.importorskip("hatchling", reason="hatchling builds the wheel")
pytest.importorskip("hatch_fancy_pypi_readme", reason="it writes the page of the index")

ROOT = Path(__file__).resolve().parents[2]
MOST = 10e6  # bytes of the wheel
OTHER = '"""Another spotlab."""\n__version__ = "0.0"\n'


def build(kind: str, out: Path) -> Path:
    """Build a distribution as `pip` and `build` do, but in this environment."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(out)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    [made] = out.iterdir()
    return made


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("wheel", tmp_path_factory.mktemp("wheel"))


@pytest.fixture
def target(wheel: Path, tmp_path: Path) -> Path:
    """A folder as `pip install --target` fills it, in what looks like a checkout of another one."""
    folder = tmp_path / "x"
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(folder)
    for place in (tmp_path, folder):
        (place / "pyproject.toml").write_text('[project]\nname = "mine"\n')
    (tmp_path / "resources" / "help").mkdir(parents=True)
    return folder


def run(target: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run the unpacked spotlab, where an older one is beside it in the path of modules."""
    other = target.parent / "other"
    (other / "spotlab").mkdir(parents=True, exist_ok=True)
    (other / "spotlab" / "__init__.py").write_text(OTHER)
    path = os.pathsep.join([str(target), str(other)])
    surroundings = {name: value for name, value in os.environ.items() if name != "SPOTLAB_MODELS"}
    return subprocess.run(
        [sys.executable, *command],
        cwd=target.parent,
        env={**surroundings, "PYTHONPATH": path, "HOME": str(target.parent / "home")},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_wheel_is_small_and_has_pictures_of_one_size(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        names = packed.namelist()
    assert wheel.stat().st_size <= MOST
    inside = "spotlab/shipped"
    assert {f"{inside}/resources/models/words.onnx", f"{inside}/datasets/votes/contest.csv"} <= {
        *names
    }
    assert f"{inside}/resources/help/pictures/annotate-dark.png" in names
    assert not [name for name in names if "@2x" in name or name.endswith((".gif", ".ipynb"))]
    assert not [name for name in names if not name.startswith("spotlab")]
    modules = {str(file.relative_to(ROOT)) for file in ROOT.glob("spotlab/**/*.py")}
    assert modules == {name for name in names if name.endswith(".py")}
    assert {"spotlab/py.typed", "spotlab/__init__.pyi"} <= {*names}


def test_the_build_for_people_without_python_has_the_same_files(wheel: Path) -> None:
    tree = ast.parse((ROOT / "resources" / "packaging" / "spotlab.spec").read_text("utf-8"))
    [shipped] = [each for each in tree.body if getattr(each, "name", "") == "shipped"]
    names: dict[str, Any] = {"ROOT": ROOT, "tomllib": tomllib}
    exec(compile(ast.Module([shipped], []), "spotlab.spec", "exec"), names)
    taken = {f"{place}/{Path(file).name}" for file, place in names["shipped"]()}
    with zipfile.ZipFile(wheel) as packed:
        assert taken == {name for name in packed.namelist() if "/shipped/" in name}


def test_the_index_learns_what_the_project_says_of_itself(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        [place] = [name for name in packed.namelist() if name.endswith("METADATA")]
        about = email.message_from_bytes(packed.read(place))
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert about["Author"] == ", ".join(author["name"] for author in cited["authors"])
    assert sorted(about["Keywords"].split(",")) == sorted(cited["keywords"])
    assert about["License-Expression"] == cited["license"] == "MIT"
    assert not {"dev", "docs", "build", "bench"} & {*about.get_all("Provides-Extra")}
    page = about.get_payload()
    assert isinstance(page, str) and "pip install" in page
    assert not re.search(r"\]\((?!https?:)", page), "a link into the repository"


def test_an_unpacked_wheel_finds_its_own_files(target: Path) -> None:
    said = "import spotlab.resources as r; print(r.help_folder(), r.sample_collection(), sep='\\n')"
    found = run(target, "-c", f"{said}; print(r.needed_model('words.onnx'), r.is_checkout())")
    *places, last = found.stdout.splitlines()
    assert len(places) == 2 and all(place.startswith(str(target)) for place in places), found
    assert last == f"{target}/spotlab/shipped/resources/models/words.onnx False"
    doctor = run(target, "-m", "spotlab", "doctor")
    assert "help, samples, report and networks are there" in doctor.stdout
    assert "Python package" in doctor.stdout


def test_an_unpacked_wheel_evaluates_with_a_report(target: Path) -> None:
    plans = target / "spotlab" / "shipped" / "datasets" / "floorplans"
    command = ("evaluate", "--truth", str(plans / "plan_001.xml"), "--draws", "0", "--run")
    done = run(target, "-m", "spotlab", *command, str(plans / "runs/b_hu.csv"), "--out", "report")
    assert done.returncode == 0, done.stderr
    assert (target.parent / "report" / "report.html").is_file()


@pytest.mark.parametrize("job", ["words", "symbols"])
def test_a_network_that_is_missing_is_said(target: Path, job: str) -> None:
    shipped = target / "spotlab" / "shipped"
    (shipped / "resources" / "models" / f"{job}.onnx").unlink()
    pages = {"words": "manuscript/letter_001.jpg", "symbols": "floorplans/plan_001.png"}[job]
    query = {"words": "orders", "symbols": "chair"}[job]
    command = ("spot", job, "--pages", str(shipped / "datasets" / pages), "--query", query)
    method = ("--method", "f") if job == "symbols" else ()
    done = run(target, "-m", "spotlab", *command, *method, "--out", "found.csv")
    assert done.returncode == 2
    assert f"{job}.onnx is missing, which comes with spotlab" in done.stderr
    assert not (target.parent / "found.csv").exists()


def test_folders_that_were_lost_are_named(target: Path) -> None:
    shutil.rmtree(target / "spotlab" / "shipped" / "resources" / "help")
    done = run(target, "-m", "spotlab", "doctor")
    assert "shipped/resources/help is missing: spotlab is not installed whole" in done.stdout


def test_a_source_distribution_is_a_checkout(tmp_path: Path) -> None:
    with tarfile.open(build("sdist", tmp_path)) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, check=False)
    if not listed.returncode:
        assert {*listed.stdout.decode().splitlines()} <= names
    needed = {"Makefile", "tests/conftest.py", "datasets/votes/contest.csv", "pyproject.toml"}
    needed |= {"resources/models/words.onnx", ".ci/run", "docs/adr/0002-tallies.md"}
    assert needed <= names
