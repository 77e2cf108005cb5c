"""Which spotlab this is, how it was installed, and the versions of what it stands on."""

from __future__ import annotations

import platform
import re
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.util import find_spec
from pathlib import Path

import spotlab
from spotlab.diagnosis.finding import Finding, State
from spotlab.extras import OPTIONAL, optional_module
from spotlab.files import is_file
from spotlab.resources import CHECKOUT
from spotlab.spotting.network_engines import ENGINE

TOPIC = "Software"
BUILD = Path(spotlab.__file__).with_name(
    "build.txt"
)  # one line, in builds for people without Python


def build() -> str:
    """How this spotlab was made: a build and its commit, a checkout and its commit, or a package.

    Returns
    -------
    str
        As in "build of 2026-01-31 from 0a1b2c3", "checkout at 0a1b2c3" or "Python package".
    """
    if is_file(BUILD):
        return BUILD.read_text("utf-8").strip()
    if is_file(CHECKOUT / "pyproject.toml"):
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
    """The names of the packages that users, not developers, may want."""
    try:
        lines = requires("spotlab") or []
    except PackageNotFoundError:  # a checkout that nobody has installed
        return set()
    wanted = [line for line in lines if not re.search(r"extra == .(build|dev|docs)\b", line)]
    return {re.split(r"[^\w.-]", line, maxsplit=1)[0] for line in wanted} - {"spotlab"}


def examine_software() -> list[Finding]:
    """Say which spotlab and which Python this is, and what is not installed."""
    bits = "64 bit" if sys.maxsize > 2**32 else "32 bit"
    python = f"{platform.python_implementation()} {platform.python_version()}, {bits}"
    findings = [
        Finding(TOPIC, "spotlab", f"{spotlab.__version__}, {build()}"),
        Finding(TOPIC, "Python", f"{python}, {sys.executable}"),
        _packages(),
    ]
    findings += [_optional(package.module) for package in OPTIONAL if package.extra != "gui"]
    return findings


def _packages() -> Finding:
    found = {name: number for name, number in versions().items() if number and name != "Python"}
    return Finding(TOPIC, "packages", ", ".join(f"{name} {found[name]}" for name in found))


def _optional(module: str) -> Finding:
    [package] = [each for each in OPTIONAL if each.module == module]
    if find_spec(module) is not None:
        if module == ENGINE and (problem := _problem(module)):
            value = f"installed, but not loaded: {problem}"
            return Finding(TOPIC, package.title, value, State.ODD, "OpenCV runs networks instead")
        return Finding(TOPIC, package.title, f"installed, for {package.purpose}")
    advice = f"needed for {package.purpose}: {package.install()}"
    return Finding(TOPIC, package.title, "not installed", State.MISSING, advice)


def _problem(module: str) -> str:
    """Why a module cannot be imported; "" where it can."""
    try:
        optional_module(module)
    except ImportError as error:
        return " ".join(str(error).split())
    return ""
