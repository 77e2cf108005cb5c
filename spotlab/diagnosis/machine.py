"""Requirements on the machine apart from the window, and the software spotlab depends on."""

from __future__ import annotations

import locale
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.util import find_spec
from pathlib import Path

import platformdirs

import spotlab
from spotlab import registry
from spotlab.errors import SpotlabError
from spotlab.extras import OPTIONAL, optional_module
from spotlab.files import exists, is_file, is_folder
from spotlab.geometry.compiled import machine_code
from spotlab.geometry.compiled.machine_code import COVERAGE
from spotlab.resources import (
    CHECKOUT,
    MODEL_FILES,
    MODELS,
    help_folder,
    is_checkout,
    needed_model,
    report_folder,
    sample_collection,
)
from spotlab.spotting.networks import ENGINE
from spotlab.spotting.reading.text_reader import text_readers
from spotlab.spotting.symbols.alignment.chamfer_reference import CHAMFER


class FactState(StrEnum):
    """State of a fact about the machine: as expected, missing or odd."""

    OK = "ok"
    MISSING = "missing"  # something cannot be done
    ODD = "odd"  # it works, but not as it should


@dataclass(frozen=True)
class Fact:
    """One fact about a machine.

    Attributes
    ----------
    topic : str
        Heading that it belongs below.
    name : str
        What it is about.
    value : str
        What was found.
    state : FactState
    advice : str
        What to do where it is not as it should be.
    """

    topic: str
    name: str
    value: str
    state: FactState = FactState.OK
    advice: str = ""


def as_lines(findings: Sequence[Fact]) -> list[str]:
    """The findings as text that can be pasted into a report; first how many need attention.

    Parameters
    ----------
    findings : sequence of Fact

    Returns
    -------
    list of str
        The user's home folder is written as ``~``.

    Examples
    --------
    >>> fonts = Fact("Window", "fonts", "0 families", FactState.ODD, "install some")
    >>> for line in as_lines([fonts]):
    ...     print(line)
    1 of 1 checks need attention
    <BLANKLINE>
    Window
      odd      fonts  0 families: install some
    """
    found = [finding for finding in findings if finding.state is not FactState.OK]
    few = f"{len(found)} of {len(findings)} checks need attention"
    lines = [few if found else f"all {len(findings)} checks passed"]
    width = max((len(finding.name) for finding in findings), default=0)
    for topic in dict.fromkeys(finding.topic for finding in findings):
        lines += ["", topic]
        lines += [_line(each, width) for each in findings if each.topic == topic]
    return lines


def _line(finding: Fact, width: int) -> str:
    text = ": ".join(filter(None, (finding.value, finding.advice)))
    return without_home(f"  {finding.state:<7}  {finding.name:<{width}}  {text}".rstrip())


def without_home(text: str) -> str:
    """The text with ``~`` for the folder that is named like its user."""
    home = str(Path.home())
    return text if len(home) < 2 else text.replace(home, "~")


def joined(values: Iterable[str], nothing: str = "none") -> str:
    """The values in one line, or what stands for none."""
    return ", ".join(values) or nothing


MACHINE, FOLDERS, PROGRAMS = "Machine", "Folders", "Other programs"
LITTLE_SPACE = 1e9  # bytes that caches of a large collection take
LITTLE_MEMORY = 3.5e9  # bytes, below which pages of 100 million pixels are slow


def examine_machine() -> list[Fact]:
    """Describe the system: its name, processors, memory and encoding."""
    system = f"{_distribution()}, {platform.system()} {platform.release()}, {platform.machine()}"
    return [
        Fact(MACHINE, "system", system),
        Fact(MACHINE, "processors", f"{os.cpu_count() or 1}"),
        _memory(),
        _encoding(),
    ]


def _distribution() -> str:
    with suppress(OSError):
        return platform.freedesktop_os_release().get("PRETTY_NAME", "Linux")
    return platform.platform(terse=True)


def _memory() -> Fact:
    try:
        total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):  # Windows has no such thing
        return Fact(MACHINE, "memory", "unknown")
    value = f"{total / 1e9:.1f} GB"
    if total >= LITTLE_MEMORY:
        return Fact(MACHINE, "memory", value)
    return Fact(MACHINE, "memory", value, FactState.ODD, "large pages need 4 GB")


def _encoding() -> Fact:
    names = sys.getfilesystemencoding(), locale.getpreferredencoding(False)
    value = f"{names[0]} for file names, {names[1]} for text"
    if all(name.lower().replace("-", "") == "utf8" for name in names):
        return Fact(MACHINE, "encoding", value)
    return Fact(MACHINE, "encoding", value, FactState.ODD, "set LANG=C.UTF-8")


def examine_folders() -> list[Fact]:
    """Look at the folders that spotlab writes to, and at what it has to find."""
    cache = platformdirs.user_cache_path("spotlab")
    return [
        _folder("cache", cache, "searches and machine code are computed again at every start"),
        _space(cache),
        _folder("settings", platformdirs.user_config_path("spotlab"), "settings are not kept"),
        _folder("data", platformdirs.user_data_path("spotlab"), "the sample cannot be copied"),
        *(_machine_code(code.name, code) for code in (COVERAGE, CHAMFER)),
        _lock(cache),
        _shipped(),
        *_own_models(),
    ]


def _folder(name: str, folder: Path, consequence: str) -> Fact:
    place = _nearest(folder)
    if is_folder(place) and os.access(place, os.W_OK | os.X_OK):
        size = f", {_size(folder) / 1e6:,.1f} MB" if name == "cache" and is_folder(folder) else ""
        return Fact(FOLDERS, name, f"{folder}{size}" + ("" if is_folder(folder) else ", not made"))
    advice = f"cannot be written to, so that {consequence}"
    return Fact(FOLDERS, name, f"{folder}", FactState.MISSING, advice)


def _nearest(folder: Path) -> Path:
    """The folder, or that of its parents which would hold it."""
    return next((place for place in (folder, *folder.parents) if exists(place)), folder)


def _size(folder: Path) -> int:
    total = 0
    for place, _, files in os.walk(folder):
        for file in files:
            with suppress(OSError):
                total += os.stat(os.path.join(place, file)).st_size
    return total


def _space(folder: Path) -> Fact:
    free = shutil.disk_usage(_nearest(folder)).free
    value = f"{free / 1e9:,.1f} GB free for the cache"
    if free > LITTLE_SPACE:
        return Fact(FOLDERS, "disk", value)
    return Fact(FOLDERS, "disk", value, FactState.ODD, "free some space, or delete the cache")


def _machine_code(name: str, code: machine_code.MachineCode) -> Fact:
    title = f"machine code, {name}"
    if not machine_code.is_installed():
        return Fact(FOLDERS, title, "numba is not installed", FactState.ODD, "it is slower without")
    if code.is_stored():
        return Fact(FOLDERS, title, "ready")
    in_part = any(code.folder().rglob("*.nbi"))
    value = "ready in part; the rest is compiled at its first use"
    return Fact(FOLDERS, title, value if in_part else "compiled at the first use")


def _lock(cache: Path) -> Fact:
    """Tell whether files can be locked, which some network drives cannot."""
    from filelock import FileLock  # noqa: PLC0415

    place = _nearest(cache)
    try:
        with tempfile.TemporaryDirectory(dir=place) as folder, FileLock(Path(folder, "lock"), 1):
            return Fact(FOLDERS, "locks", "work")
    except (OSError, TimeoutError, NotImplementedError) as error:
        advice = "two windows may write the same file; use a local folder"
        return Fact(FOLDERS, "locks", f"do not work in {place}: {error}", FactState.ODD, advice)


def _shipped() -> Fact:
    parts: list[Callable[[], object]] = [help_folder, report_folder, sample_collection]
    parts += [partial(needed_model, name) for name in MODEL_FILES]
    missing = []
    for find in parts:
        try:
            find()
        except SpotlabError as error:
            missing.append(f"{error}")
    value = joined(missing, "help, samples, report and networks are there")
    return Fact(FOLDERS, "installation", value, FactState.MISSING if missing else FactState.OK)


def _own_models() -> list[Fact]:
    """Files that are missing in the folder that ``SPOTLAB_MODELS`` names."""
    if MODELS not in os.environ:
        return []
    folder = Path(os.environ[MODELS])
    lacking = joined((name for name in MODEL_FILES if not is_file(folder / name)), "")
    if not lacking:
        return [Fact(FOLDERS, MODELS, f"{folder}")]
    advice = f"it has no {lacking}; without words.onnx, words are compared by strokes"
    return [Fact(FOLDERS, MODELS, f"{folder}", FactState.ODD, advice)]


def examine_programs() -> list[Fact]:
    """Look for the programs that spotlab calls, and for packages that extend it."""
    findings = []
    for name, reader in text_readers().items():
        problem = reader.problem("")
        value = "" if problem else reader.version()
        state = FactState.MISSING if problem else FactState.OK
        findings.append(Fact(PROGRAMS, reader.title or name, value, state, problem))
    for line in registry.problems():
        findings.append(Fact(PROGRAMS, "extension", line, FactState.ODD))
    return findings


TOPIC = "Software"
BUILD = Path(spotlab.__file__).with_name(
    "build.txt"
)  # one line, in builds for people without Python


def build() -> str:
    """Tell how this spotlab was made: a build and its commit, a checkout and its commit, or a
    package.

    Returns
    -------
    str
        As in "build of 2026-01-31 from 0a1b2c3", "checkout at 0a1b2c3" or "Python package".
    """
    if is_file(BUILD):
        return BUILD.read_text("utf-8").strip()
    if is_checkout():
        commit = _commit()
        return f"checkout at {commit}" if commit else "checkout"
    return "Python package"


def _commit() -> str:
    """The commit of the checkout, in short; "" where nobody can tell."""
    command = ["git", "-C", str(CHECKOUT), "rev-parse", "--short", "HEAD"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=5)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def versions() -> dict[str, str]:
    """The versions of Python and of the packages that spotlab asks for; "" where one is missing.

    Returns
    -------
    dict of str to str
        Python first, then in alphabetical order.
    """
    found = {"Python": platform.python_version()}
    for name in sorted(_requirements(), key=str.lower):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = ""
    return found


def _requirements() -> set[str]:
    """The names of the packages that spotlab or one of its extras asks for."""
    try:
        lines = requires("spotlab") or []
    except PackageNotFoundError:  # a checkout that nobody has installed
        return set()
    return {re.split(r"[^\w.-]", line, maxsplit=1)[0] for line in lines} - {"spotlab"}


def examine_software() -> list[Fact]:
    """Say which spotlab and which Python this is, and what is not installed."""
    bits = "64 bit" if sys.maxsize > 2**32 else "32 bit"
    python = f"{platform.python_implementation()} {platform.python_version()}, {bits}"
    findings = [
        Fact(TOPIC, "spotlab", f"{spotlab.__version__}, {build()}"),
        Fact(TOPIC, "Python", f"{python}, {sys.executable}"),
        _packages(),
    ]
    findings += [_optional(package.module) for package in OPTIONAL if package.extra != "gui"]
    return findings


def _packages() -> Fact:
    found = {name: number for name, number in versions().items() if number and name != "Python"}
    return Fact(TOPIC, "packages", ", ".join(f"{name} {found[name]}" for name in found))


def _optional(module: str) -> Fact:
    [package] = [each for each in OPTIONAL if each.module == module]
    if find_spec(module) is not None:
        if module == ENGINE and (problem := _problem(module)):
            value = f"installed, but not loaded: {problem}"
            return Fact(TOPIC, package.title, value, FactState.ODD, "OpenCV runs networks instead")
        return Fact(TOPIC, package.title, f"installed, for {package.purpose}")
    advice = f"needed for {package.purpose}: {package.install()}"
    state = FactState.ODD if package.extra == "fast" else FactState.MISSING
    return Fact(TOPIC, package.title, "not installed", state, advice)


def _problem(module: str) -> str:
    """Why a module cannot be imported; "" where it can."""
    try:
        optional_module(module)
    except ImportError as error:
        return " ".join(str(error).split())
    return ""
