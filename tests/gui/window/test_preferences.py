"""One dialog for the choices about the window; each holds at once and at the next start."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QApplication, QDialogButtonBox

from spotlab.gui.kit import theme
from spotlab.gui.kit.settings import REOPEN, THEME, Settings
from spotlab.gui.window.dialogs.preferences import PreferencesDialog
from tests.gui import windows
from tests.gui.choosing import pick


def test_preferences_hold_at_once_and_at_the_next_start(tmp_path: Path, qapp: QApplication) -> None:
    theme.apply(qapp, "light")
    window = windows.open_window(tmp_path, windows.write_pages(tmp_path / "plans"))
    assert window.actions_by_id.trigger("edit.preferences")
    [dialog] = window.findChildren(PreferencesDialog)
    assert dialog.isVisible()
    buttons = dialog.findChild(QDialogButtonBox)
    assert buttons is not None and all(each.icon().isNull() for each in buttons.buttons())
    assert dialog.theme.value == window.workbench.settings.get(THEME)
    pick(dialog.theme, "dark")
    dialog.switches["file.reopen"].click()
    dialog.switches["view.minimap"].click()
    dialog.author.setText("Ada")
    dialog.author.editingFinished.emit()
    assert window.actions_by_id["view.theme_dark"].isChecked()
    assert not window.actions_by_id["view.minimap"].isChecked()
    assert window.workbench.author.name == "Ada"
    dialog.close()
    window.set_theme("system")
    windows.close(window)
    kept = Settings(tmp_path / "settings.json")
    assert kept.get(THEME) == "system" and not kept.get(REOPEN)
