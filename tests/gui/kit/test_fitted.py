"""A label that says less where there is little room."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication, QHBoxLayout, QWidget

from spotlab.gui.kit.widgets import Fitted


def test_a_label_says_as_much_as_fits_and_all_of_it_as_its_tip(qapp: QApplication) -> None:
    around, label = QWidget(), Fitted()
    row = QHBoxLayout(around)
    row.setContentsMargins(0, 0, 0, 0)
    row.addWidget(label)
    label.say("12 pages", "12")
    whole, least = label.sizeHint().width(), label.minimumSizeHint().width()
    said = []
    around.show()
    for width in (whole, whole - 1, least):
        around.resize(width, 30)
        qapp.processEvents()
        said.append((label.width(), label.text()))
    assert said == [(whole, "12 pages"), (whole - 1, "12"), (least, "12")]
    assert label.toolTip() == "12 pages"
    around.resize(whole, 30)
    qapp.processEvents()
    assert label.text() == "12 pages"
    label.say("")
    assert not label.text() and not label.toolTip()
    around.close()
