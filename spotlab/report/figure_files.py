"""Figures of matplotlib as SVG to stand in a page, and as files; without a display."""

from __future__ import annotations

import io
import re
from typing import Any

from matplotlib import rc_context, rcParamsDefault
from matplotlib.figure import Figure
from matplotlib.text import Text

from spotlab.representation import visible

# of all settings: matplotlib reads a file of them in the current folder, which may be anybody's
STYLE: dict[Any, Any] = {
    **{name: value for name, value in rcParamsDefault.items() if not name.startswith("backend")},
    "font.size": 9.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.alpha": 0.25,
    "grid.linewidth": 0.6,
    "svg.fonttype": "none",  # letters stay letters: to be searched, copied, and small
    "legend.frameon": False,
    "text.parse_math": False,  # names may hold dollar signs
}
PRINTED = 200  # dpi of a file
LINK = re.compile(r'id="((?:run|query|system|word|page):[^"]*)"')


def svg(figure: Figure) -> str:
    """The figure as an SVG element to stand in HTML.

    What an artist's ``gid`` links, such as "system:mine", is highlighted with all else of it.
    """
    text = io.StringIO()
    _show_controls(figure)
    with rc_context({**STYLE, "svg.hashsalt": "spotlab"}):  # else ids differ from time to time
        figure.savefig(text, format="svg", metadata={"Date": None}, transparent=True)
    whole = text.getvalue()
    return LINK.sub(r'data-link="\1"', whole[whole.index("<svg") :])


def file(figure: Figure, kind: str, dpi: int = PRINTED) -> bytes:
    """The figure as the content of a file of this kind: "svg", "pdf" or "png"."""
    content = io.BytesIO()
    _show_controls(figure)
    with rc_context({**STYLE, "svg.hashsalt": "spotlab"}):
        metadata = {"CreationDate": None} if kind == "pdf" else {"Date": None}
        figure.savefig(content, format=kind, metadata=None if kind == "png" else metadata, dpi=dpi)
    if kind == "svg":
        return LINK.sub("", content.getvalue().decode()).encode()
    return content.getvalue()


def files(figure: Figure, name: str, *kinds: str) -> dict[str, bytes]:
    """Contents of files of these kinds by their names; where everything stands is found once."""
    contents = {}
    for kind in kinds:
        contents[f"{name}.{kind}"] = file(figure, kind)
        figure.set_layout_engine("none")  # to find it again takes as long as to draw
    return contents


def _show_controls(figure: Figure) -> None:
    """Have texts show what no font draws, and what no file in UTF-8 can hold."""
    for text in figure.findobj(Text):
        if isinstance(text, Text) and text.get_text():
            text.set_text(visible(text.get_text(), kept="\n"))


class ShownFigure(Figure):
    """A figure that a notebook shows, whether or not pyplot is in use there."""

    def _repr_png_(self) -> bytes:
        return file(self, "png", dpi=80)
