"""What spotlab needs of the machine besides the window: folders, locks, memory, text, programs."""

from __future__ import annotations

import locale
import os
import platform
import shutil
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

import platformdirs

from spotlab import registry
from spotlab.diagnosis.finding import Finding, State, joined
from spotlab.files import exists, is_folder
from spotlab.geometry import machine_code
from spotlab.geometry.machine_code import COVERAGE
from spotlab.resources import help_folder, sample_collection
from spotlab.spotting.reading.text_reader import text_readers
from spotlab.spotting.symbols.alignment.machine_code import CHAMFER

MACHINE, FOLDERS, PROGRAMS = "Machine", "Folders", "Other programs"
LITTLE_SPACE = 1e9  # bytes that caches of a large collection take
LITTLE_MEMORY = 3.5e9  # bytes, below which pages of 100 million pixels are slow


def examine_machine() -> list[Finding]:
    """Describe the system: its name, processors, memory and encoding."""
    system = f"{_distribution()}, {platform.system()} {platform.release()}, {platform.machine()}"
    return [
        Finding(MACHINE, "system", system),
        Finding(MACHINE, "processors", f"{os.cpu_count() or 1}"),
        _memory(),
        _encoding(),
    ]


def _distribution() -> str:
    with suppress(OSError):
        return platform.freedesktop_os_release().get("PRETTY_NAME", "Linux")
    return platform.platform(terse=True)


def _memory() -> Finding:
    try:
        total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):  # Windows has no such thing
        return Finding(MACHINE, "memory", "unknown")
    value = f"{total / 1e9:.1f} GB"
    if total >= LITTLE_MEMORY:
        return Finding(MACHINE, "memory", value)
    return Finding(MACHINE, "memory", value, State.ODD, "large pages need 4 GB")


def _encoding() -> Finding:
    names = sys.getfilesystemencoding(), locale.getpreferredencoding(False)
    value = f"{names[0]} for file names, {names[1]} for text"
    if all(name.lower().replace("-", "") == "utf8" for name in names):
        return Finding(MACHINE, "encoding", value)
    return Finding(MACHINE, "encoding", value, State.ODD, "set LANG=C.UTF-8")


def examine_folders() -> list[Finding]:
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
    ]


def _folder(name: str, folder: Path, consequence: str) -> Finding:
    place = _nearest(folder)
    if is_folder(place) and os.access(place, os.W_OK | os.X_OK):
        size = f", {_size(folder) / 1e6:,.1f} MB" if name == "cache" and is_folder(folder) else ""
        return Finding(
            FOLDERS, name, f"{folder}{size}" + ("" if is_folder(folder) else ", not made")
        )
    advice = f"cannot be written to, so that {consequence}"
    return Finding(FOLDERS, name, f"{folder}", State.MISSING, advice)


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


def _space(folder: Path) -> Finding:
    free = shutil.disk_usage(_nearest(folder)).free
    value = f"{free / 1e9:,.1f} GB free for the cache"
    if free > LITTLE_SPACE:
        return Finding(FOLDERS, "disk", value)
    return Finding(FOLDERS, "disk", value, State.ODD, "free some space, or delete the cache")


def _machine_code(name: str, code: machine_code.MachineCode) -> Finding:
    title = f"machine code, {name}"
    if not machine_code.is_installed():
        return Finding(FOLDERS, title, "numba is not installed", State.ODD, "it is slower without")
    if code.is_stored():
        return Finding(FOLDERS, title, "ready")
    in_part = any(code.folder().rglob("*.nbi"))
    value = "ready in part; the rest is compiled at its first use"
    return Finding(FOLDERS, title, value if in_part else "compiled at the first use")


def _lock(cache: Path) -> Finding:
    """Whether files can be locked, which some network drives cannot."""
    from filelock import FileLock  # noqa: PLC0415

    place = _nearest(cache)
    try:
        with tempfile.TemporaryDirectory(dir=place) as folder, FileLock(Path(folder, "lock"), 1):
            return Finding(FOLDERS, "locks", "work")
    except (OSError, TimeoutError, NotImplementedError) as error:
        advice = "two windows may write the same file; use a local folder"
        return Finding(FOLDERS, "locks", f"do not work in {place}: {error}", State.ODD, advice)


def _shipped() -> Finding:
    missing = [
        f"{folder()}" for folder in (help_folder, sample_collection) if not is_folder(folder())
    ]
    value = joined(missing, "the help and the samples are there")
    return Finding(FOLDERS, "installation", value, State.MISSING if missing else State.OK)


def examine_programs() -> list[Finding]:
    """Look for the programs that spotlab calls, and for packages that extend it."""
    findings = []
    for name, reader in text_readers().items():
        problem = reader.problem("")
        value = "" if problem else reader.version()
        state = State.MISSING if problem else State.OK
        findings.append(Finding(PROGRAMS, reader.title or name, value, state, problem))
    for line in registry.problems():
        findings.append(Finding(PROGRAMS, "extension", line, State.ODD))
    return findings
