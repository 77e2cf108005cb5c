"""The Region panel has a typed field for each attribute that the label set has a rule for."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QDoubleSpinBox, QLineEdit

from spotlab.gui.annotate.panels.attribute_dialog import AttributeDialog
from spotlab.gui.annotate.panels.properties import PropertiesPanel
from spotlab.gui.kit.background import wait_until
from spotlab.gui.kit.widgets import Choice
from spotlab.gui.window.main_window import MainWindow
from spotlab.model import AttributeKind, Attributes, AttributeSpec, LabelSet
from tests.gui.choosing import pick
from tests.gui.windows import add, close, open_window, press, settle, write_pages

SOFA = (
    AttributeSpec("seats", AttributeKind.WHOLE, required=True),
    AttributeSpec("colour", AttributeKind.CHOICE, ("red", "blue"), "red"),
    AttributeSpec("parts", AttributeKind.CHOICES, ("arm", "back & rest")),
    AttributeSpec("corner", AttributeKind.YES_NO),
)
ALL = (AttributeSpec("angle", AttributeKind.NUMBER), AttributeSpec("note"))


@pytest.fixture
def window(tmp_path: Path, qapp: QApplication) -> Iterator[MainWindow]:
    window = open_window(tmp_path, write_pages(tmp_path / "pages", 2), size=(1280, 800))
    labels = LabelSet().with_label("sofa").with_label("bed")
    rules = labels.with_specs("sofa", SOFA).with_specs("", ALL)
    window.workbench.collection.set_labels(rules)
    window.docks.bring("properties")
    yield window
    close(window)


def panel(window: MainWindow) -> PropertiesPanel:
    widget = window.panels["properties"]
    assert isinstance(widget, PropertiesPanel)
    return widget


def typed(window: MainWindow, name: str, text: str) -> None:
    QApplication.processEvents()
    field = panel(window).fields.fields[name]
    field.setFocus()
    line = field.findChild(QLineEdit) if isinstance(field, QDoubleSpinBox) else field
    assert isinstance(line, QLineEdit)
    line.selectAll()
    QTest.keyClicks(line, text) if text else QTest.keyClick(line, Qt.Key.Key_Delete)
    press(line, Qt.Key.Key_Return)


def attributes(window: MainWindow, at: int = 0) -> Attributes:
    return window.workbench.selected[at].attributes


def give(window: MainWindow, at: int, **values: object) -> None:
    document = window.workbench.document
    assert document is not None
    region = replace(document.regions[at], attributes=Attributes(values))
    window.workbench.editing.replace_regions("Change", [region])


def test_each_kind_has_its_field_and_a_step_can_be_undone(window: MainWindow) -> None:
    add(window, "sofa")
    assert attributes(window) == Attributes({"colour": "red"})  # by default
    fields = panel(window).fields.fields
    typed(window, "seats", "3")
    typed(window, "angle", "-1.25")
    typed(window, "note", "x < y")
    assert isinstance(fields["colour"], Choice)
    pick(fields["colour"], "blue")
    corner = fields["corner"]
    assert isinstance(corner, QCheckBox) and corner.text() == "none"
    corner.click()
    fields["parts"].boxes["back & rest"].click()  # type: ignore[union-attr]
    assert dict(attributes(window)) == {
        "colour": "blue", "seats": 3, "angle": -1.25, "note": "x < y", "corner": True,
        "parts": ("back & rest",),
    }  # fmt: skip
    assert type(dict(attributes(window))["seats"]) is int
    history = window.workbench.history
    assert history is not None and history.done_names[-1] == "Set parts"
    typed(window, "angle", "")
    assert "angle" not in dict(attributes(window))
    for _ in range(7):
        window.workbench.editing.undo()
    assert attributes(window) == Attributes({"colour": "red"})
    assert isinstance(fields["seats"], QDoubleSpinBox) and fields["seats"].text() == "required"


def test_several_regions_show_what_they_share_and_change_at_once(window: MainWindow) -> None:
    first, second, third = add(window, "sofa"), add(window, "sofa", 150), add(window, "bed", 90, 99)
    give(window, 0, seats=2, mine="x", corner=True)
    give(window, 1, seats=3, mine="x", corner=True, note="a")
    window.workbench.selection.set([first.id, second.id])
    fields = panel(window).fields.fields
    assert fields["seats"].text() == "several"  # type: ignore[union-attr]
    assert fields["corner"].text() == "yes"  # type: ignore[union-attr]
    table = panel(window).attributes
    assert table.isEnabled() and table.item(0, 0).text() == "mine"  # type: ignore[union-attr]
    typed(window, "seats", "4")
    assert [dict(attributes(window, at))["seats"] for at in (0, 1)] == [4, 4]
    assert dict(attributes(window, 1))["note"] == "a"
    window.workbench.selection.set([first.id, third.id])
    assert list(panel(window).fields.fields) == ["angle", "note"]  # what both labels have
    assert not panel(window).attributes.isEnabled()


def test_what_does_not_fit_is_shown_kept_and_mended_on_request(window: MainWindow) -> None:
    add(window, "sofa")
    give(window, 0, seats="3", corner="perhaps", angle="steep", parts=("leg",))
    fields, problems = panel(window).fields.fields, panel(window).fields.problems
    assert fields["seats"].text() == "3"  # type: ignore[union-attr]
    assert fields["corner"].text() == "perhaps"  # type: ignore[union-attr]
    assert "“3” is not a whole number" in problems["seats"].text()
    assert "“leg” is not a list of arm, back &amp; rest" in problems["parts"].text()
    for name, field in fields.items():  # to go through the fields changes nothing
        field.setFocus()
        QTest.keyClick(field, Qt.Key.Key_Tab)
        assert name
    before = Attributes({"seats": "3", "corner": "perhaps", "angle": "steep", "parts": ("leg",)})
    assert attributes(window) == before
    assert "href" not in problems["corner"].text()
    problems["seats"].linkActivated.emit("mend")
    assert attributes(window) == before.with_value("seats", 3)
    assert not problems["seats"].isVisible()


def test_free_attributes_keep_the_kinds_of_their_values(window: MainWindow) -> None:
    add(window, "bed")
    give(window, 0, count=3, seen=True, angle=1.5)
    table = panel(window).attributes
    assert [table.item(row, 0).text() for row in range(2)] == ["count", "seen"]  # type: ignore[union-attr]
    table.item(0, 1).setText("4")  # type: ignore[union-attr]
    assert attributes(window) == Attributes({"angle": 1.5, "count": 4, "seen": True})
    table.item(1, 1).setText("unknown")  # type: ignore[union-attr]
    assert dict(attributes(window))["seen"] == "unknown"


def test_rules_are_edited_learned_and_kept(window: MainWindow, tmp_path: Path) -> None:
    add(window, "bed")
    give(window, 0, size=2, kind="single")
    window.workbench.labels.with_specs("", ())
    window.actions_by_id.trigger("labels.attributes")
    [dialog] = window.findChildren(AttributeDialog)
    assert dialog.table.rowCount() == 2
    pick(dialog.label, "bed")
    dialog.learn.click()
    assert wait_until(lambda: dialog.table.rowCount() == 2)
    assert [dialog.table.item(row, 0).text() for row in (0, 1)] == ["kind", "size"]  # type: ignore[union-attr]
    dialog.add.click()
    dialog.buttons.button(dialog.buttons.StandardButton.Ok).click()
    assert dialog.isVisible() and "Row 3: an attribute needs a name" in dialog.problem.text()
    dialog.table.item(2, 0).setText("state")  # type: ignore[union-attr]
    dialog._kind(2).show_value(AttributeKind.CHOICE)
    dialog.table.item(2, 2).setText("new | a, b")  # type: ignore[union-attr]
    dialog.table.item(2, 3).setText("old")  # type: ignore[union-attr]
    dialog.accept()
    assert dialog.isVisible() and "the default “old” is not one of new, a, b" in (
        dialog.problem.text()
    )
    dialog.table.item(2, 3).setText("new")  # type: ignore[union-attr]
    dialog.accept()
    settle()
    window.workbench.collection.write_labels()
    content = json.loads((tmp_path / "pages" / "spotlab.json").read_text())
    [_, bed] = content["labels"]
    assert bed["attributes"] == [
        {"name": "kind", "kind": "text"},
        {"name": "size", "kind": "whole number"},
        {"name": "state", "kind": "one of a list", "choices": ["new", "a, b"], "default": "new"},
    ]
    assert [each["name"] for each in content["attributes"]] == ["angle", "note"]
    assert list(panel(window).fields.fields) == ["angle", "note", "kind", "size", "state"]
