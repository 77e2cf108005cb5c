"""Keeps actions up to date: the signals after which one may be possible that was not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spotlab.gui.annotate.similar.proposals import Proposals
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.systems.state import Systems
from spotlab.gui.words.state.words import Words

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
        workbench.state(Inspection).runs.changed,
        workbench.state(Inspection).spot_changed,
        workbench.state(Inspection).cut_changed,
        workbench.state(Words).sources_changed,
        workbench.state(Words).lists_changed,
        workbench.state(Words).relevance_changed,
        workbench.state(Words).item_changed,
        workbench.state(Words).choices_changed,
        workbench.state(Systems).table_changed,
        workbench.state(Systems).comparison_changed,
        workbench.label_changed,
        workbench.state(Proposals).changed,
    ):
        signal.connect(actions.update)
