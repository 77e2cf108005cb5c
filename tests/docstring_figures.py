"""How much the docstrings of the library tell, counted from its source.

``python -m tests.docstring_figures`` prints a table; ``--missing PACKAGE`` lists what is missing.

Counted are functions and classes without a leading underscore, and such methods of such classes,
of the packages named in ``PACKAGES``. A docstring that begins with "See `name`" refers to a counted
definition, which is counted in its place.

Parameters
    Of definitions with an argument besides self and cls: those that name every argument in a
    section Parameters. A dataclass or named tuple counts with its fields, which its docstring names
    in Attributes or Parameters; another class counts with the arguments of ``__init__``.
Shapes or units
    Of definitions whose annotations (arguments, fields or result) name an array or a float, or an
    alias of one: those whose docstring, without Examples, gives a shape such as ``(N, 2)`` where
    there is an array, and a unit or scale such as px, degrees or [0, 1] (`UNIT`) where there is
    only a float.
Examples
    Of functions and methods with two arguments or more: those with a doctest under Examples.
Source
    Of the definitions in `tests.docstring_sources`: those that cite the paper, and name the
    equation or section, in their docstring.
"""

from __future__ import annotations

import argparse
import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.docstring_sources import SOURCES

ROOT = Path(__file__).resolve().parents[1] / "spotlab"
PACKAGES = (
    "geometry",
    "measures",
    "ranking",
    "consensus",
    "uncertain_truth",
    "imaging",
    "spotting",
    "api",
)

FIGURES = ("parameters", "shapes or units", "examples", "source")
THRESHOLDS = {  # % of all packages together
    "parameters": 100,
    "shapes or units": 98,
    "examples": 80,
    "source": 100,
}

ARRAYS = {"NDArray", "ArrayLike", "ndarray"}
DIMENSION = r"[\w…]+(?: ?[-−+·*] ?\w+)*"
SHAPE = re.compile(rf"\((?!x, y\)){DIMENSION},(?: {DIMENSION}(?:, {DIMENSION})*)?\)|\bshape\b")
UNIT = re.compile(
    r"\binch(es)?\b|"
    r"\bpx\b|px²|\bpixels?\b|\[0, 1\]|\b0 to 1\b|\bshares?\b|\bdegrees?\b|\bradians?\b|°|%|\bdpi\b"
    r"|\bseconds?\b|\bbytes?\b|\bprobabilit(y|ies)\b|\bodds\b|\bratios?\b|\bfactors?\b|\bscores?\b"
    r"|\bweights?\b|\branks?\b|\bpowers?\b|\bdeviations?\b|\bcorrelations?\b|\bnumber of\b|²"
)
SECTION = re.compile(r"^([A-Z][A-Za-z ]+)\n-{3,}\n", re.MULTILINE)


@dataclass(frozen=True)
class Definition:
    """One public function, method or class.

    Attributes
    ----------
    package : str
    path : str
        Dotted, without "spotlab."; `spotlab/__init__.py` belongs to "api".
    is_class : bool
    arguments : tuple of str
        Without self and cls; of a class, its fields or the arguments of ``__init__``.
    annotations : tuple of expressions
    text : str
        The docstring.
    """

    package: str
    path: str
    is_class: bool
    arguments: tuple[str, ...]
    annotations: tuple[ast.expr, ...]
    text: str

    @property
    def refers_to(self) -> str:
        """The name after "See", where the docstring only refers to another definition."""
        reference = re.match(r"See `(?:spotlab\.)?([\w.]+)`", self.text)
        return reference[1] if reference else ""

    def section(self, *names: str) -> str:
        """The text of the sections with these names."""
        parts = SECTION.split(self.text)
        return "\n".join(
            text for title, text in zip(parts[1::2], parts[2::2], strict=True) if title in names
        )

    def named(self) -> set[str]:
        """The arguments or fields that the docstring describes."""
        text = self.section("Parameters", "Other Parameters", *["Attributes"] * self.is_class)
        lines = re.findall(r"^(\S[^:\n]*)(?: :|$)", text, re.MULTILINE)
        return {name.strip(" *") for line in lines for name in line.split(",")}

    def prose(self) -> str:
        """The docstring without its examples."""
        parts = SECTION.split(self.text)
        kept = [
            f"{a}\n{b}" for a, b in zip(parts[1::2], parts[2::2], strict=True) if a != "Examples"
        ]
        return "\n".join([parts[0], *kept])


@cache
def definitions() -> tuple[Definition, ...]:
    """All that is counted, in the order of packages and files."""
    parts: list[Definition] = []
    for package in PACKAGES:
        files = sorted((ROOT / package).rglob("*.py"))
        if package == "api":
            files.append(ROOT / "__init__.py")
        for file in files:
            module = ".".join(file.relative_to(ROOT).with_suffix("").parts)
            module = module.removesuffix(".__init__")
            parts += definitions_in(file.read_text("utf-8"), package, module)
    return tuple(parts)


def definitions_in(source: str, package: str, module: str) -> list[Definition]:
    """What is counted in the source of one module."""
    return [part for node in ast.parse(source).body for part in _parts(node, package, module)]


def _parts(node: ast.stmt, package: str, module: str) -> Iterator[Definition]:
    if isinstance(node, ast.FunctionDef) and _is_public(node):
        yield _function(node, package, module, bound=False)
    if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
        path = f"{module}.{node.name}"
        yield _class(node, package, path)
        for part in node.body:
            if isinstance(part, ast.FunctionDef) and _is_public(part):
                yield _function(part, package, path, bound="staticmethod" not in _decorators(part))


def _is_public(node: ast.FunctionDef) -> bool:
    return not node.name.startswith("_") and not _decorators(node) & {"overload", "setter"}


def _decorators(node: ast.FunctionDef | ast.ClassDef) -> set[str]:
    parts = [part.func if isinstance(part, ast.Call) else part for part in node.decorator_list]
    return {ast.unparse(part).rpartition(".")[2] for part in parts}


def _function(node: ast.FunctionDef, package: str, path: str, *, bound: bool) -> Definition:
    arguments = _arguments(node, bound=bound)
    annotations = [argument.annotation for argument in arguments] + [node.returns]
    return Definition(
        package,
        f"{path}.{node.name}",
        False,
        tuple(argument.arg for argument in arguments),
        tuple(annotation for annotation in annotations if annotation),
        ast.get_docstring(node) or "",
    )


def _arguments(node: ast.FunctionDef, *, bound: bool) -> list[ast.arg]:
    given = node.args
    positional = [*given.posonlyargs, *given.args][1 if bound else 0 :]
    named = [*positional, given.vararg, *given.kwonlyargs, given.kwarg]
    return [argument for argument in named if argument and not argument.arg.startswith("_")]


def _class(node: ast.ClassDef, package: str, path: str) -> Definition:
    names: list[str] = []
    annotations: list[ast.expr] = []
    bases = {ast.unparse(base).rpartition(".")[2] for base in node.bases}
    for part in node.body:
        if "dataclass" in _decorators(node) or "NamedTuple" in bases:
            if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
                is_field = "ClassVar" not in ast.unparse(part.annotation)
                if is_field and not part.target.id.startswith("_"):
                    names.append(part.target.id)
                    annotations.append(part.annotation)
        elif isinstance(part, ast.FunctionDef) and part.name == "__init__":
            arguments = _arguments(part, bound=True)
            names += [argument.arg for argument in arguments]
            annotations += [argument.annotation for argument in arguments if argument.annotation]
    text = ast.get_docstring(node) or ""
    return Definition(package, path, True, tuple(names), tuple(annotations), text)


@cache
def aliases() -> dict[str, set[str]]:
    """What module-level names of the library stand for, such as ``Floats = NDArray[float64]``."""
    found: dict[str, set[str]] = {}
    for file in ROOT.rglob("*.py"):
        for node in ast.parse(file.read_text("utf-8")).body:
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Subscript | ast.BinOp):
                for target in node.targets:
                    if isinstance(target, ast.Name) and target.id[:1].isupper():
                        found.setdefault(target.id, set()).update(_names(node.value))
    return found


def _names(expression: ast.expr) -> set[str]:
    return {part.id for part in ast.walk(expression) if isinstance(part, ast.Name)} | {
        part.attr for part in ast.walk(expression) if isinstance(part, ast.Attribute)
    }


def _values(definition: Definition) -> str:
    """Whether annotations name an "array", only a "float", or neither ("")."""
    names = {name for annotation in definition.annotations for name in _names(annotation)}
    names |= {meaning for name in names for meaning in aliases().get(name, ())}
    return "array" if names & ARRAYS else "float" if "float" in names else ""


@dataclass(frozen=True)
class Count:
    """One figure of some definitions: how many are counted, and which of them lack it."""

    total: int
    missing: tuple[str, ...]

    @property
    def percent(self) -> float:
        """Share of the definitions that have it, in %; 100 where none is counted."""
        return 100 * (1 - len(self.missing) / self.total) if self.total else 100.0


def counted(
    package: str | None = None, everything: tuple[Definition, ...] | None = None
) -> dict[str, Count]:
    """Each figure of one package, or of all."""
    everything = definitions() if everything is None else everything
    paths = tuple(part.path for part in everything if not part.refers_to)
    chosen = [part for part in everything if package in (None, part.package)]
    own = [part for part in chosen if not _is_elsewhere(part, paths)]
    return {
        "parameters": _count(
            (part, part.named() >= {*part.arguments}) for part in own if part.arguments
        ),
        "shapes or units": _count((part, _has_shape(part)) for part in own if _values(part)),
        "examples": _count(
            (part, ">>>" in part.section("Examples"))
            for part in own
            if len(part.arguments) > 1 and not part.is_class
        ),
        "source": _sources(everything, package),
    }


def _count(parts: Iterator[tuple[Definition, bool]]) -> Count:
    judged = list(parts)
    return Count(len(judged), tuple(part.path for part, has in judged if not has))


def _is_elsewhere(part: Definition, paths: tuple[str, ...]) -> bool:
    """Whether the docstring refers to a definition that is counted itself."""
    return bool(part.refers_to) and any(f".{path}".endswith(f".{part.refers_to}") for path in paths)


def _has_shape(part: Definition) -> bool:
    pattern = SHAPE if _values(part) == "array" else UNIT
    return bool(pattern.search(part.prose()))


def _sources(everything: tuple[Definition, ...], package: str | None) -> Count:
    keys = [key for key in SOURCES if package in (None, key.partition(":")[0])]
    return Count(len(keys), tuple(flaw for key in keys for flaw in _source_flaw(key, everything)))


def _source_flaw(key: str, everything: tuple[Definition, ...]) -> list[str]:
    package, _, end = key.partition(":")
    matches = [part for part in everything if part.package == package]
    matches = [part for part in matches if f".{part.path}".endswith(f".{end}")]
    matches = [part for part in matches if not part.refers_to] or matches
    if len(matches) != 1:
        return [f"{key}: {len(matches)} definitions of this name; correct docstring_sources.py"]
    paper, place = SOURCES[key]
    text = " ".join(matches[0].text.split())
    after = text.partition(paper)[2]
    if paper in text and all(number in after for number in re.findall(r"§?\d[\d.]*", place)):
        return []
    return [f"{matches[0].path}: {paper}{place and ', ' + place}"]


def table() -> str:
    """Every figure of every package, and of all."""
    lines = [f"{'':12}" + "".join(f"{name:>22}" for name in FIGURES)]
    for package in (*PACKAGES, None):
        cells = [
            f"{count.total - len(count.missing)}/{count.total} {count.percent:5.1f} %"
            for count in counted(package).values()
        ]
        lines.append(f"{package or 'all':12}" + "".join(f"{cell:>22}" for cell in cells))
    return "\n".join(lines)


def main() -> None:
    """Print the table, or what is missing in a package."""
    parser = argparse.ArgumentParser(description="Count what the docstrings tell.")
    parser.add_argument("--missing", metavar="PACKAGE", choices=PACKAGES)
    package = parser.parse_args().missing
    if package is None:
        print(table())
        return
    for name, count in counted(package).items():
        print(f"{name}: {len(count.missing)} of {count.total} missing")
        for path in count.missing:
            print(f"  {path}")


if __name__ == "__main__":
    main()
