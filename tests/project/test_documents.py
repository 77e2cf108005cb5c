"""What stands around the code: documents, links, the source distribution and the site."""

from __future__ import annotations

import ast
import re
import tomllib
from dataclasses import is_dataclass
from pathlib import Path

import pytest
import yaml

from spotlab.resources import help_folder, help_pages

ROOT = Path(__file__).resolve().parents[2]
DECISIONS = sorted(ROOT.glob("docs/adr/*.md"))
DOCUMENTS = sorted(
    [*ROOT.glob("*.md"), *help_folder().glob("*.md"), ROOT / "datasets/README.md", *DECISIONS]
)
FOR_CONTRIBUTORS = [ROOT / "CONTRIBUTING.md", help_folder() / "architecture.md", *DECISIONS]
SETTINGS = [ROOT / "CITATION.cff", ROOT / ".pre-commit-config.yaml", *ROOT.glob(".github/*/*.yml")]
LINK = re.compile(r'(?:\]\(|src="|srcset="|, )((?:[\w@.-]+/)*[\w@.-]+\.(?:md|cff|png|gif|webp))')


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_and_pictures_of_a_document_are_there(document: Path) -> None:
    targets = LINK.findall(document.read_text("utf-8"))
    missing = [target for target in targets if not (document.parent / target).is_file()]
    assert not missing


@pytest.mark.parametrize("document", FOR_CONTRIBUTORS, ids=lambda path: path.name)
def test_files_that_a_document_for_contributors_names_are_there(document: Path) -> None:
    named = re.findall(r"`((?:spotlab|tests|docs)/[\w/.]+)", document.read_text("utf-8"))
    assert [path for path in named if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("document", DECISIONS, ids=lambda path: path.name)
def test_a_decision_is_recorded_on_one_page(document: Path) -> None:
    lines = document.read_text("utf-8").splitlines()
    headings = ["## Context", "## Decision", "## Consequences", "## Rejected"]
    assert len(lines) <= 45 and [line for line in lines if line.startswith("## ")] == headings


def test_a_version_of_the_changelog_is_short_and_dated() -> None:
    _, *versions = (ROOT / "CHANGELOG.md").read_text("utf-8").split("\n## ")
    dates = []
    for version in versions:
        head, *lines = version.splitlines()
        number, date = head.split(" – ")
        if date != "unreleased" or dates:  # only the newest may be
            dates.append(date)
        kinds = {line for line in lines if line.startswith("#")}
        assert kinds <= {"### Security", "### Added", "### Changed", "### Fixed"}, head
        most = 15 if number in ("0.28.0", "1.0.0") else 5
        assert 0 < sum(line.startswith("- ") for line in lines) <= most, head
        assert not re.search(r"\d ?(?:ms|µs|[kMG]B)\b", version), head
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\d", date) for date in dates)
    assert dates == sorted(dates, reverse=True)


@pytest.mark.parametrize("name", help_pages())
def test_pictures_of_the_help_are_there_in_both_themes_and_scales(name: str) -> None:
    text = (help_folder() / f"{name}.md").read_text("utf-8")
    for picture in re.findall(r"\((pictures/[\w-]+)-light\.png\)", text):
        for suffix in ("-light", "-dark", "-light@2x", "-dark@2x"):
            assert (help_folder() / f"{picture}{suffix}.png").is_file()


def test_every_picture_is_shown() -> None:
    texts = "".join(document.read_text("utf-8") for document in DOCUMENTS)
    names = {file.stem.split("-light")[0].split("-dark")[0]
             for file in (help_folder() / "pictures").iterdir()}  # fmt: skip
    assert {name for name in names if f"pictures/{name}" not in texts} == set()


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) < 150


@pytest.mark.parametrize("path", SETTINGS, ids=lambda path: path.name)
def test_settings_of_the_project_can_be_read_and_name_no_host(path: Path) -> None:
    text = path.read_text("utf-8")
    assert isinstance(yaml.safe_load(text), dict)
    assert "://" not in text


def test_the_site_is_made_of_packages_that_are_there_and_that_their_group_installs() -> None:
    tree = ast.parse((ROOT / "resources/site/conf.py").read_text("utf-8"))
    values = {
        node.targets[0].id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }
    for package in ast.literal_eval(values["API"]):
        assert (ROOT / "spotlab" / package / "__init__.py").is_file()
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["dependency-groups"]
    installed = " ".join(groups["docs"]).lower().replace("-", "_")
    extensions = ast.literal_eval(values["extensions"])
    for name in [*extensions, ast.literal_eval(values["html_theme"])]:
        assert name.partition(".")[0] in installed


def snippets(language: str) -> list[str]:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("code", snippets("python"), ids=lambda code: code.split("\n\n")[-1][:20])
def test_an_extension_of_the_contributors_page_is_one(code: str) -> None:
    names: dict[str, object] = {}
    exec(compile(code, "CONTRIBUTING.md", "exec"), names)
    *_, name = [name for name in names if name.isupper()]
    assert is_dataclass(names[name])


def test_groups_of_the_contributors_page_are_those_that_are_looked_for() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    rows = [line.split("|") for line in text.splitlines() if line.startswith("| ")]
    named = {row[4].strip(" `") for row in rows if len(row) == 6} - {"entry-point group"}
    looked_for: set[str] = set()
    for file in ROOT.glob("spotlab/**/*.py"):
        code = file.read_text("utf-8")
        constants = dict(re.findall(r'^(PACKAGE|GROUP) = "([\w.]+)"', code, re.MULTILINE))
        package = ".".join(file.relative_to(ROOT).parent.parts)
        for group in re.findall(r"\bdiscover\(\s*([\w.\"]+),", code):
            known = {**constants, "__name__": package, "self._group": "spotlab.cli"}
            looked_for.add(known.get(group, group.strip('"')))
    assert named == looked_for - {"package"}
