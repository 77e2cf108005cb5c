"""Fields of dialogs and panels that show settings of jobs: the same texts, defaults and choices."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import pytest
from PySide6.QtWidgets import QCheckBox, QComboBox, QDoubleSpinBox, QSpinBox, QWidget

from spotlab.api import settings
from spotlab.api.job import flat_kinds, setting_texts, setting_type
from spotlab.cli.options import declaring
from spotlab.gui.inspect.dialogs.run_settings import MeasuresDialog
from spotlab.gui.inspect.dialogs.spotter_dialogs import SpotSymbolsDialog
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit.widgets import SETTING, Choice
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.systems.subjects.subjects import SubjectsPanel
from spotlab.gui.systems.votes.dialog import VotesDialog
from spotlab.gui.window.dialogs.export_dialog import ExportForm
from spotlab.gui.window.main_window import MainWindow
from spotlab.gui.words.panels.word_queries import AdaptDialog, WordQueriesPanel
from spotlab.gui.words.panels.word_settings import WordSettingsPanel
from tests.gui import windows

Make = Callable[[Workbench], QWidget]
FIELDS: dict[str, tuple[Make, tuple[type, ...], int]] = {  # and how many settings they show
    "measures": (
        lambda bench: MeasuresDialog(bench.state(Inspection)), (settings.EvaluationSettings,), 10
    ),
    "spot symbols": (SpotSymbolsDialog, (settings.SymbolSpottingSettings,), 4),
    "adapt": (AdaptDialog, (settings.WordAdaptationSettings,), 2),
    "search words": (WordQueriesPanel, (settings.WordSpottingSettings,), 3),
    "rank words": (
        WordSettingsPanel, (settings.WordSpottingSettings, settings.RerankingSettings), 8
    ),
    "votes": (VotesDialog, (settings.SystemComparisonSettings,), 3),
    "subjects": (
        SubjectsPanel, (settings.UncertainTruthSettings, settings.DisplacementSettings), 7
    ),
    "export": (lambda bench: ExportForm(Path("plans")), (settings.ConversionSettings,), 5),
}  # fmt: skip
UNSET = {  # what a field shows where the default of the job is none
    "models_per_label": 1, "max_spots": 0, "shift": False, "split": False, "compare_at": 1,
}  # fmt: skip
CHOSEN_HERE = {  # what has no default: the first format, what the open files decide
    "to", "lexicon", "lessons", "min_score", "relevance",
}  # fmt: skip


@pytest.fixture
def window(tmp_path: Path, lasting: MainWindow) -> MainWindow:
    return windows.begin_anew(lasting, windows.write_pages(tmp_path / "plans"))


def shown(field: QWidget) -> Any:
    """The value of a field; None of a button or label."""
    if isinstance(field, Choice):
        return field.value
    if isinstance(field, QSpinBox) and field.suffix() == " %":
        return field.value() / 100
    if isinstance(field, QSpinBox | QDoubleSpinBox):
        return field.value()
    return field.isChecked() if isinstance(field, QCheckBox) else None


def plain(value: Any) -> Any:
    """A choice as texts write it: `whole_tree` is whole-tree, nothing is none."""
    return value.replace("_", "-") if isinstance(value, str) else value


@pytest.mark.parametrize("form", FIELDS)
def test_a_field_shows_the_setting_as_its_command_does(window: MainWindow, form: str) -> None:
    make, kinds, count = FIELDS[form]
    widget = make(window.workbench)
    found = [each for each in widget.findChildren(QWidget) if each.property(SETTING)]
    for field in found:
        name = field.property(SETTING)
        kind = next(each for each in kinds if name in setting_texts(each))
        if name in ("descriptor", "language") and not field.isEnabled():
            continue  # without networks and lists of words there is no choice
        text, _, _ = setting_texts(kind)[name].text.partition(" [default")
        tip = re.sub("<[^>]+>", " ", field.toolTip()).replace("&#x27;", "'")
        assert " ".join(text.split()) in " ".join(tip.split()), name
        value, default = shown(field), getattr(kind, name, None)
        if value is not None and name not in CHOSEN_HERE:
            wanted = UNSET.get(name, default) if default is None else default
            assert plain(value) == plain(wanted) or str(value) == str(wanted), name
        allowed = flat_kinds(setting_type(declaring(kind, name), name))
        literals = {
            each for kind in allowed if get_origin(kind) is Literal for each in get_args(kind)
        }
        if literals and isinstance(field, Choice):
            assert {str(plain(each)) for each in field.values if each is not None} <= literals, name
        elif isinstance(field, QComboBox):
            assert field.count() > 1, name
    assert len({each.property(SETTING) for each in found}) == count
    widget.deleteLater()
