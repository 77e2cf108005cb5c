"""Packages that need not be installed: what each is for, and the extra that installs it.

What works on pixels takes OpenCV and doxapy from here. They are imported when they are used for the
first time, so that commands that look at no pixel neither wait for them nor need them.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from types import ModuleType

from spotlab.errors import SpotlabError
from spotlab.libraries import import_alone, late_imports

IS_BUILD = bool(getattr(sys, "frozen", False))  # made by make build


@dataclass(frozen=True)
class OptionalPackage:
    """A package that some jobs need and others do not.

    Attributes
    ----------
    module : str
        What is imported.
    title : str
        What people call it.
    extra : str
        ``pip install 'spotlab[extra]'`` installs it.
    purpose : str
        What is not possible without it, as a sentence goes on after "for".
    megabytes : int
        Size when installed, in MB, with what it brings along.
    """

    module: str
    title: str
    extra: str
    purpose: str
    megabytes: int

    def install(self) -> str:
        """Say how to install it; a build for people without Python takes no further packages."""
        command = f"pip install 'spotlab[{self.extra}]'"
        return f"it is not part of this build; with Python: {command}" if IS_BUILD else command

    def problem(self) -> str:
        """The line that says that it is missing, what it is for, and how to install it."""
        return f"{self.title} is not installed; it is needed for {self.purpose}: {self.install()}"


OPTIONAL = (
    OptionalPackage("cv2", "OpenCV", "images", "everything that reads or draws pixels", 152),
    OptionalPackage("doxapy", "doxapy", "images", "telling ink from paper", 1),
    OptionalPackage("HersheyFonts", "Hershey-Fonts", "images", "drawing script letters", 1),
    OptionalPackage("scipy", "SciPy", "systems", "estimates from votes, and graphs of items", 143),
    OptionalPackage("numba", "numba", "fast", "machine code, about ten times faster", 206),
    OptionalPackage(
        "onnxruntime", "ONNX Runtime", "fast", "running networks about twice as fast", 82
    ),
    OptionalPackage("pyarrow", "pyarrow", "parquet", "Parquet files", 162),
    OptionalPackage("PySide6", "PySide6", "gui", "the window", 234),
    OptionalPackage("pyqtgraph", "pyqtgraph", "gui", "the plots of the window", 10),
    OptionalPackage("qtawesome", "QtAwesome", "gui", "the icons of the window", 7),
    OptionalPackage("pandas", "pandas", "frames", "results as DataFrames", 84),
    OptionalPackage("distributed", "Dask", "cluster", "--cluster", 50),
    OptionalPackage("torch", "PyTorch", "learn", "training networks", 758),
    OptionalPackage("onnx", "ONNX", "learn", "writing networks", 31),
)


class MissingPackage(SpotlabError, ImportError):
    """A package that a job needs is not installed; the text says how to install it."""


def missing_package(error: ImportError) -> MissingPackage | None:
    """Explain an import that failed to a person; None where the package is not optional.

    Parameters
    ----------
    error : ImportError

    Examples
    --------
    >>> str(missing_package(ModuleNotFoundError(name="pyarrow.parquet")))
    "pyarrow is not installed; it is needed for Parquet files: pip install 'spotlab[parquet]'"
    """
    if isinstance(error, MissingPackage):
        return error
    if not isinstance(error, ModuleNotFoundError):  # it is there, and something else is wrong
        return None
    name = (error.name or "").partition(".")[0]
    found = [package for package in OPTIONAL if package.module == name]
    return MissingPackage(found[0].problem(), name=name) if found else None


def optional_module(name: str) -> ModuleType:
    """Import a module that need not be installed.

    Parameters
    ----------
    name : str

    Raises
    ------
    MissingPackage
        It is not installed.
    """
    try:
        return import_alone(name)
    except ImportError as error:
        missing = missing_package(error)
        if missing is None:
            raise
        raise missing from error


def problem_of(name: str) -> str:
    """Say that an optional package is not installed, and how to install it; "" where it is.

    Parameters
    ----------
    name : str
        The module that is imported.
    """
    try:
        optional_module(name)
    except MissingPackage as error:
        return str(error)
    return ""


with late_imports(__name__, optional_module):
    import cv2 as cv2
    import doxapy as doxapy
    from scipy import interpolate as interpolate
    from scipy import linalg as linalg
    from scipy import ndimage as ndimage
    from scipy import optimize as optimize
    from scipy import sparse as sparse
    from scipy import spatial as spatial
    from scipy import special as special
    from scipy import stats as stats
    from scipy.cluster import hierarchy as hierarchy
    from scipy.sparse import csgraph as csgraph
