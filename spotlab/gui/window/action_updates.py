"""Keeps actions up to date: the signals after which one may be possible that was not."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench
    from spotlab.gui.window.action_table import Actions


def keep_updated(actions: Actions, workbench: Workbench) -> None:
    """Update the actions after all that may change what can be done."""
    for signal in (
        workbench.page_changed,
        workbench.history_moved,
        workbench.selection_changed,
        workbench.tool_changed,
        workbench.labels_changed,
        workbench.entries_changed,
        workbench.ink_changed,
        workbench.workspace_changed,
        workbench.inspection.runs_changed,
        workbench.inspection.spot_changed,
        workbench.inspection.cut_changed,
        workbench.words.sources_changed,
        workbench.words.lists_changed,
        workbench.words.relevance_changed,
        workbench.words.item_changed,
        workbench.words.choices_changed,
        workbench.systems.table_changed,
        workbench.systems.comparison_changed,
        workbench.label_changed,
        workbench.proposals.changed,
    ):
        signal.connect(actions.update)
