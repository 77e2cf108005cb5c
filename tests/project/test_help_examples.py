"""The help's examples: files of formats.md are valid, and the commands there run on them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from spotlab.cli.root import _root
from spotlab.lab.pipelines.entities.entity_finder import read_gazetteer
from spotlab.resources import help_folder

FILE = re.compile(r"^\*\*([\w./-]+)\*\*\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with every file of the page."""
    folder = tmp_path_factory.mktemp("examples")
    for name, content in FILE.findall(page("formats")):
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for code in fences("formats", "python"):
            exec(compile(code, "formats.md", "exec"), {})
    return folder


def page(name: str) -> str:
    return (help_folder() / f"{name}.md").read_text("utf-8")


def fences(name: str, language: str) -> list[str]:
    return [content for kind, content in FENCE.findall(page(name)) if kind == language]


def commands(name: str) -> Iterator[str]:
    for fence in fences(name, "sh"):
        for line in fence.splitlines():
            command = line.partition("  #")[0].strip()
            if command.startswith("spotlab "):
                yield command


@pytest.mark.parametrize("command", list(commands("formats")))
def test_a_command_of_the_formats_page_runs_on_its_examples(
    command: str, examples: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(examples)
    done = CliRunner().invoke(_root(), shlex.split(command)[1:])
    assert done.exit_code == 0, done.output + done.stderr
    assert "cannot be read" not in done.output + done.stderr


def test_the_gazetteer_of_the_formats_page_is_read(examples: Path) -> None:
    assert read_gazetteer(examples / "names.txt").kinds


@pytest.mark.parametrize("name", sorted(file.stem for file in help_folder().glob("*.md")))
def test_every_command_of_the_help_has_only_options_that_exist(name: str) -> None:
    for text in commands(name):
        command, words = _root(), shlex.split(text)[1:]
        context = click.Context(command)
        while words and isinstance(command, click.Group):
            chosen = command.get_command(context, words.pop(0))
            assert chosen is not None, text
            command = chosen
        known = {option for parameter in command.params for option in parameter.opts}
        used = {word.split("=")[0] for word in words if word.startswith("--")}
        assert used <= known, text
