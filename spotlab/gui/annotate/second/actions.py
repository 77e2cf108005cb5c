"""The Annotate menu: who draws, and a second annotator of the same pages."""

from __future__ import annotations

from collections.abc import Callable

from spotlab.gui.workspace.action import (
    Action,
    Condition,
    Menu,
    always,
    has_pages,
    may_draw,
    needs,
)
from spotlab.gui.workspace.window import Window
from spotlab.libraries import late_imports
from spotlab.model import Deed

with late_imports(__name__):
    from spotlab.gui.annotate.second import adjudication, dialogs, second_annotator


_SECTION = "Second Annotator"


def _second(window: Window) -> second_annotator.SecondAnnotator:
    return window.workbench.state(second_annotator.SecondAnnotator)


def _deciding(window: Window) -> adjudication.Adjudication:
    return window.workbench.state(adjudication.Adjudication)


@needs("No second annotator is open")
def _is_open(window: Window) -> bool:
    return _second(window).active


_may_step = Condition(lambda _: True, "", (_is_open, may_draw))


@needs("No difference is chosen", _is_open, may_draw)
def _may_decide(window: Window) -> bool:
    return _second(window).current is not None


def _step(by: int) -> Callable[[Window], None]:
    def run(window: Window) -> None:
        _deciding(window).step(by)
        window.canvas.setFocus()

    return run


def _verdict(
    name: str, title: str, key: str, tip: str, verdict: Deed, *, their_label: bool = False
) -> Action:
    return Action(
        f"second.{name}",
        title,
        lambda window: _deciding(window).decide(verdict, their_label),
        enabled=_may_decide,
        tip=f"{tip}; on the page, {key} does the same",
        section=_SECTION,
    )


MENU = Menu(
    "annotate",
    "&Annotate",
    5,
    (
        Action(
            "annotate.author",
            "&Author…",
            lambda window: dialogs.ask_author(window),
            before=always,
            icon="account-edit-outline",
            words="name user annotator who",
            tip="Set your name, which is kept with each region that you draw or change",
        ),
        Action(
            "second.open",
            "&Open Folder…",
            lambda window: dialogs.ask_second(window),
            enabled=has_pages,
            icon="account-multiple-outline",
            tip="Compare the pages with the truth that another person has drawn of them",
            section=_SECTION,
        ),
        Action(
            "second.show",
            "&Show Their Regions",
            lambda window: _second(window).show(not _second(window).shown),
            ("Ctrl+Alt+2",),
            enabled=_is_open,
            checked=lambda window: _is_open(window) and _second(window).shown,
            tip="Draw the second annotator's regions over the page, dotted",
            section=_SECTION,
        ),
        Action(
            "second.next",
            "&Next Difference",
            _step(1),
            ("Ctrl+Alt+N",),
            enabled=_may_step,
            icon="skip-next-outline",
            tip="Go to the next difference between you and the second annotator, worst first",
            section=_SECTION,
            repeats=True,
        ),
        Action(
            "second.previous",
            "&Previous Difference",
            _step(-1),
            ("Ctrl+Alt+Shift+N",),
            enabled=_may_step,
            icon="skip-previous-outline",
            tip="Go to the previous difference between you and the second annotator",
            section=_SECTION,
            repeats=True,
        ),
        _verdict("keep", "&Keep Mine", "K", "Decide for your side", Deed.KEPT),
        _verdict("take", "&Take Theirs", "T", "Decide for the second annotator's side", Deed.TAKEN),
        _verdict("merge", "&Merge", "M", "Make one region of both, with your label", Deed.MERGED),
        _verdict(
            "merge_theirs",
            "Merge with Their &Label",
            "Shift+M",
            "Make one region of both, with the second annotator's label",
            Deed.MERGED,
            their_label=True,
        ),
        _verdict(
            "undecided",
            "Mark &Undecided",
            "U",
            "Leave the difference to somebody else; the region is flagged as uncertain",
            Deed.UNDECIDED,
        ),
        Action(
            "second.decisions",
            "Folder for &Decisions…",
            lambda window: dialogs.ask_decisions(window),
            enabled=_is_open,
            icon="folder-account-outline",
            tip="Choose where decisions and the truth that results are kept",
            section=_SECTION,
        ),
        Action(
            "second.read_again",
            "&Read Again",
            lambda window: _second(window).read_again(),
            enabled=_is_open,
            tip="Read the second annotator's truth again from disk",
            section=_SECTION,
        ),
        Action(
            "second.close",
            "&Close",
            lambda window: _second(window).close(),
            enabled=_is_open,
            tip="Compare no more; no file changes",
            section=_SECTION,
        ),
    ),
)
