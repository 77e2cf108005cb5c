"""What is known of systems' agreement, in words."""

from __future__ import annotations

import html
from collections.abc import Callable

import numpy as np

from spotlab.consensus.agreement import Agreement
from spotlab.gui.kit.plain_text import rich
from spotlab.gui.systems.agreement.agreement_plot import Cell
from spotlab.report.figure_text import UNDEFINED, written
from spotlab.studies.systems.comparison import SystemComparison

ALONE = "No groups: no systems were found to err together."


def describe_pair(agreed: Agreement, cell: Cell) -> str:
    """What is known of the agreement of two systems; ``cell`` has their places in the matrix."""
    one, other = (int(agreed.order[place]) for place in cell)
    names = [html.escape(agreed.systems[at]) for at in (one, other)]
    shared = f"{int(agreed.both[one, other]):,} shared items"
    if one == other:
        return rich(f"<p style='white-space:pre'><b>{names[0]}</b><br>{shared}</p>")
    phi, jaccard = float(agreed.phi[one, other]), float(agreed.jaccard[one, other])
    return rich(
        f"<p style='white-space:pre'><b>{names[0]}</b><br><b>{names[1]}</b><br>"
        f"φ {_signed(phi)}, Jaccard {written(jaccard)}, {shared}</p>"
    )


def describe_groups(comparison: SystemComparison, colour_of: Callable[[int], str]) -> str:
    """Every group of several systems, by name, colour and members."""
    groups, parts = comparison.groups, []
    for number, name in enumerate(groups.names):
        if groups.sizes[number] > 1:
            members = [comparison.systems[at] for at in np.flatnonzero(groups.label == number)]
            parts.append(
                f'<span style="color:{colour_of(number)}">■</span> '
                f"<b>{html.escape(name)}</b>: {html.escape(', '.join(members))}"
            )
    return rich("<br>".join(parts) or ALONE)


def _signed(value: float) -> str:
    """With a minus where it is one."""
    if np.isnan(value):
        return UNDEFINED
    return f"−{written(-value)}" if value < 0 else written(value)
