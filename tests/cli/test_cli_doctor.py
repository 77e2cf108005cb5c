"""The command that says what is missing or odd on a machine."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import platformdirs
import pytest

from spotlab.cli import root
from spotlab.diagnosis import examination, machine
from spotlab.diagnosis.machine import Fact, FactState, as_lines, without_home
from spotlab.gui.window.qt_probe import probe


def doctor(*arguments: str) -> None:
    with pytest.raises(SystemExit) as ended:
        root.main(["doctor", *arguments])
    assert not ended.value.code


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, str]]:
    """The findings by their names, from a real run with Qt in a process of its own."""
    file = tmp_path_factory.mktemp("doctor") / "found.json"
    doctor("--json", str(file))
    content = json.loads(file.read_text())
    assert content["attention"] == sum(each["state"] != "ok" for each in content["findings"])
    return {each["name"]: each for each in content["findings"]}


def test_it_tells_versions_qt_fonts_caches_and_tesseract(told: dict[str, dict[str, str]]) -> None:
    expected = {"spotlab", "Python", "numba", "system", "memory", "Qt", "fonts", "OpenGL", "cache"}
    expected |= {"machine code, coverage", "locks", "Tesseract"}
    assert expected <= told.keys()
    assert told["Qt"]["value"].endswith("style fusion") and "offscreen" in told["Qt"]["value"]
    assert told["locks"]["state"] == told["installation"]["state"] == "ok"
    assert (told["Tesseract"]["state"] == "ok") == (shutil.which("tesseract") is not None)


def test_lines_can_be_pasted_and_do_not_name_the_user(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("Window", "Folders", "Other programs"):
        monkeypatch.setitem(examination.CHECKS, name, lambda: [])
    monkeypatch.setitem(
        examination.CHECKS, "Machine", lambda: [Fact("Machine", "x", f"{Path.home()}/cache")]
    )
    doctor()
    lines = capsys.readouterr().out.splitlines()
    assert "attention" in lines[0] or lines[0].startswith("all ")
    assert "  ok       x" in "\n".join(lines) and str(Path.home()) not in "\n".join(lines)
    assert without_home(f"{Path.home()}/a") == "~/a"


def test_a_check_that_fails_is_a_finding_and_the_rest_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail() -> list[Fact]:
        raise OSError("no such device")

    for name in examination.CHECKS:
        monkeypatch.setitem(examination.CHECKS, name, lambda: [Fact("a", "b", "c")])
    monkeypatch.setitem(examination.CHECKS, "Machine", fail)
    findings = examination.examine()
    [failed] = [finding for finding in findings if finding.state is FactState.ODD]
    assert failed.topic == "Machine" and "no such device" in failed.value
    assert len(findings) == len(examination.CHECKS)


def test_a_cache_that_cannot_be_written_to_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda name: blocked / name)
    findings = {finding.name: finding for finding in machine.examine_folders()}
    assert findings["cache"].state is FactState.MISSING
    assert findings["locks"].state is FactState.ODD


def test_a_package_that_is_not_installed_is_told_with_its_extra(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(machine, "find_spec", lambda name: None)
    [numba] = [each for each in machine.examine_software() if each.name == "numba"]
    assert numba.state is FactState.ODD and "spotlab[fast]" in numba.advice
    monkeypatch.setattr(examination, "find_spec", lambda name: None)
    [packages] = examination.examine_window()
    assert packages.state is FactState.MISSING and "spotlab[gui]" in packages.advice


def test_a_runtime_that_cannot_be_loaded_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(name: str) -> None:
        raise ImportError(f"{name}: DLL load failed\nwhile importing")

    monkeypatch.setattr(machine, "find_spec", lambda name: name)
    monkeypatch.setattr(machine, "optional_module", fail)
    [runtime] = [each for each in machine.examine_software() if each.name == "ONNX Runtime"]
    assert runtime.state is FactState.ODD and "OpenCV" in runtime.advice
    assert "DLL load failed while importing" in runtime.value


@pytest.mark.parametrize("last", ["ImportError: libGL.so.1: cannot open", "ValueError: odd"])
def test_where_python_fails_qts_line_has_the_error_and_not_the_traceback(
    last: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    kind, _, message = last.partition(": ")
    (tmp_path / "broken_qt.py").write_text(f"raise {kind}({message!r})\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(examination, "PROBE", "broken_qt")
    [qt] = [each for each in examination.examine_window() if each.name == "Qt"]
    assert qt.state is FactState.MISSING and qt.value == f"does not start: {last}"


def test_few_fonts_and_a_small_screen_are_odd(qapp: object) -> None:
    told = {**probe(), "fonts": 0}
    told["screens"] = [{"name": "a", "width": 800, "height": 600, "ratio": 1.0}]
    odd = {each.name for each in examination.findings_of_probe(told) if each.state is FactState.ODD}
    assert odd == {"fonts", "screen"}


def test_the_first_line_counts_what_needs_attention() -> None:
    fine, odd = Fact("a", "b", "c"), Fact("a", "b", "c", FactState.ODD, "d")
    assert as_lines([fine])[0] == "all 1 checks passed"
    assert as_lines([fine, odd])[0] == "1 of 2 checks need attention"


def test_the_build_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert machine.build().startswith("checkout") or machine.build() == "Python package"
    (tmp_path / "build.txt").write_text("build of 2026-01-31 from 0a1b2c3\n")
    monkeypatch.setattr(machine, "BUILD", tmp_path / "build.txt")
    assert machine.build() == "build of 2026-01-31 from 0a1b2c3"
    assert "numpy" in machine.versions() and "pytest" not in machine.versions()
