"""Settings that make no sense keep neither the window nor a workspace from opening."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from spotlab.gui.kit.settings import AUTHOR, INK, KEYS, RECENT, KnownSetting, Settings
from tests.gui import windows

WRONG = [
    '{"share": 1e999}',
    '{"share": -3, "primitive": "star"}',
    '{"share": NaN, "theme": "light"}',
    '{"ink": {"window": 1e999}}',
    '{"ink": {"window": 4, "k": "x", "colour": [1, 2], "method": []}}',
    '{"ink": [1], "rooms": {"margin": -5, "kind": "glass", "wide": "yes"}}',
    '{"rooms": {"margin": 99999999999999999999999}}',
    '{"window.geometry": "\\ud800"}',
    '{"window.geometry": "%%%", "window.state.annotate": "AAAA"}',
    '{"window.state.inspect": "\\udc80", "window.state.words": 7, "window.state.systems": [[]]}',
    '{"window.centre.inspect": 1e999, "window.centre.words": -2, "window.centre.systems": "x"}',
    '{"curves.figures": [[1]], "curves.by": [], "curves.large": {}}',
    '{"curves.band": "no", "curves.queries": 1, "curves.bands_of_many": null}',
    '{"figures.columns": [[1]]}',
    '{"figures.columns": [{"a": 1}], "systems.columns": [null]}',
    '{"systems.columns": [[1]]}',
    '{"inspect.opacity": 1e999}',
    '{"inspect.opacity": -0.5, "inspect.overlay": "neither"}',
    '{"inspect.overlay": [1], "inspect.legend_folded": "x"}',
    '{"recent": [1, null, "\\u0000", {"a": 2}], "last_pages": {"/a": ["x"]}}',
    '{"recent": {"a": 1}, "last_pages": [[1]]}',
    '{"last_pages": {"/a": [1, "x"], "/b": 7}, "started": "yes"}',
    '{"keys": {"edit.undo": "Ctrl+Z", "view.fit": [1], "x": [["y"]]}}',
    '{"keys": [["edit.undo"]], "author": 12}',
    '{"author": "\\ud83d", "theme": ["dark"]}',
    '{"theme": "purple", "minimap": "no", "captions": 0}',
    '{"styles of runs": {"a": 1.5, "b": "x", "c": -1}, "runs.read_changed": 3}',
    '{"annotation files of runs": {"a": 1}, "spotters": {"mine": {"ending": ".csv"}}}',
    '{"spotters": {"mine": {"command": 5}, "other": []}, "last spotter": []}',
    '{"second_annotators": {"/a": {"limits": [0, "x"]}, "/b": 1}, "export": {"format": 5}}',
    '{"export": [], "reopen": "never"}',
    '{"words.picture_height": 1e999, "words.level": []}',
    '{"words.picture_height": -40, "words.all_moves": "x", "words.follow_cut": {}}',
    '{"words.picture_height": 100000000000}',
    '{"a": ' + "[" * 200 + "]" * 200 + ', "theme": "dark"}',
    "[" * 100_000,
    '{"theme": "dark"',
    "[1, 2]",
    "null",
    '"text"',
    "\x00" * 300,
    '{"theme": ' + "9" * 6000 + "}",
]  # fmt: skip


TYPES_ARE_RIGHT = 8
ALWAYS = (0, 11, 19, 35)  # the others take their time, too


@pytest.mark.parametrize(
    "number",
    [
        number if number in ALWAYS else pytest.param(number, marks=pytest.mark.slow)
        for number in range(len(WRONG))
    ],
)
def test_the_window_opens_and_every_workspace_can_be_entered(
    number: int, tmp_path: Path, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed: list[object] = []
    monkeypatch.setattr("sys.excepthook", lambda *error: failed.append(error))
    path = tmp_path / "settings.json"
    path.write_text(WRONG[number], "utf-8")
    window = windows.open_window(tmp_path, windows.write_pages(tmp_path / "plans", 1))
    for name in ("inspect", "words", "systems", "annotate"):
        window.enter(name)
        windows.settle()
        assert window.workbench.workspace == name
    windows.close(window)
    assert window.workbench.settings.flush()
    assert not failed
    json.loads(path.read_text())
    if number != TYPES_ARE_RIGHT:
        assert (tmp_path / "settings.json.damaged").read_text() == WRONG[number]


def said_of(settings: Settings) -> list[str]:
    said: list[str] = []
    settings.tell(lambda text, _: said.append(text))
    return said


def test_what_is_left_out_is_named_once_and_the_rest_counts(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text(
        '{"ink": {"method": "wolf", "window": 1e999, "specks": "many"}, "author": "Anna",'
        ' "keys": {"edit.undo": ["U"], "edit.redo": [5]}, "a plug-in": {"x": [1]}}'
    )
    settings = Settings(path)
    assert settings.get(INK).method == "wolf" and settings.get(INK).specks == 0
    assert settings.get(KEYS) == {"edit.undo": ["U"], "edit.redo": []}
    said = said_of(settings)
    assert [text.removeprefix(f"{path}: ").split(": ")[0] for text in said] == [
        "ink.window", "ink.specks", "keys.edit.redo[0]",
    ]  # fmt: skip
    settings.set(AUTHOR, "Bert")
    assert settings.flush()
    assert said == said_of(settings) + said
    kept = json.loads(path.read_text())
    assert kept["a plug-in"] == {"x": [1]} and kept["author"] == "Bert"
    assert "1e999" in path.with_name("settings.json.damaged").read_text()
    assert said_of(Settings(path)) == []


def test_a_plug_in_has_settings_of_its_own(tmp_path: Path) -> None:
    colours: KnownSetting[dict[str, int]] = KnownSetting(
        "plug-in.colours", dict[str, int], {"red": 1}
    )
    settings = Settings(tmp_path / "settings.json")
    assert settings.get(colours) == {"red": 1}
    settings.set(colours, {"blue": 2})
    assert settings.flush()
    assert Settings(tmp_path / "settings.json").get(colours) == {"blue": 2}
    (tmp_path / "settings.json").write_text('{"plug-in.colours": [7]}')
    assert Settings(tmp_path / "settings.json").get(colours) == {"red": 1}


def test_names_of_files_that_are_not_utf_8_are_remembered(tmp_path: Path) -> None:
    name = os.fsdecode(b"/plans/caf\xe9")
    settings = Settings(tmp_path / "settings.json")
    settings.set(RECENT, [name])
    assert settings.flush()
    again = Settings(tmp_path / "settings.json")
    assert again.get(RECENT) == [name] and said_of(again) == []


@pytest.mark.usefixtures("qapp")  # without, no thread is heard of
def test_two_windows_keep_each_others_settings(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    one, other = Settings(path), Settings(path)
    one.set(AUTHOR, "Anna")
    one.set(RECENT, ["/a"])
    one.set(KEYS, {"edit.undo": ["U"]})
    assert one.flush()
    other.set(RECENT, ["/b"])
    other.set(KEYS, {"edit.redo": ["R"]})
    assert other.flush()
    read = Settings(path)
    assert read.get(AUTHOR) == "Anna" and read.get(RECENT) == ["/b", "/a"]
    assert read.get(KEYS) == {"edit.undo": ["U"], "edit.redo": ["R"]}
    said = said_of(one)
    one.set(KEYS, {"edit.undo": ["1"], "edit.redo": []})
    other.set(KEYS, {**other.get(KEYS), "edit.undo": ["2"]})
    assert one.flush() and other.flush()
    assert any("the keys of edit.undo" in text for text in [*said, *said_of(other)])


def test_settings_that_cannot_be_read_are_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "settings.json"
    path.write_text('{"author": "Anna", "theme": "dark"}')

    def refuse(_: Path) -> bytes:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr("spotlab.formats.shared.shared_file.read_file", refuse)
        settings = Settings(path)
        assert settings.get(AUTHOR) == ""
    settings.set(RECENT, ["/a"])
    assert settings.flush()
    assert json.loads(path.read_text()) == {"author": "Anna", "theme": "dark", "recent": ["/a"]}
