"""The Annotate menu: who draws, and a second annotator of the same pages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QInputDialog

from spotlab.formats.collection.truth_files import annotators_of
from spotlab.gui.kit.files import FileDialog
from spotlab.gui.kit.panel import OnScreen
from spotlab.gui.pages.offers import account_name
from spotlab.gui.workspace import (
    Action,
    Condition,
    Menu,
    Window,
    always,
    has_pages,
    may_draw,
    needs,
)
from spotlab.libraries import late_imports
from spotlab.model import Deed

with late_imports(__name__):
    from spotlab.gui.annotate.second import adjudication, second_annotator

Does = Callable[["adjudication.Adjudication"], object]
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


@dataclass(frozen=True)
class DifferenceCommand:
    """A command of the menu that a key on the page carries out, too, and perhaps a button.

    Attributes
    ----------
    name, title, tip, icon : str
    key : str
        On the page, while no region is selected.
    does : callable
        Takes what decides.
    button : str
        The button's name, if there is one.
    everywhere : tuple of str
        Keys of a step to another difference, on which the page gets the focus.
    """

    name: str
    title: str
    tip: str
    key: str
    does: Does
    button: str = ""
    everywhere: tuple[str, ...] = ()
    icon: str = ""

    @property
    def action(self) -> Action:
        """The command as menus have it."""
        return Action(
            f"second.{self.name}",
            self.title,
            self._run,
            self.everywhere,
            enabled=_may_step if self.everywhere else _may_decide,
            icon=self.icon,
            tip=f"{self.tip}; on the page, {self.key} does the same",
            section=_SECTION,
            repeats=bool(self.everywhere),
        )

    def _run(self, window: Window) -> None:
        self.does(_deciding(window))
        if self.everywhere:
            window.canvas.setFocus()


def _verdict(deed: Deed, *, their_label: bool = False) -> Does:
    return lambda deciding: deciding.decide(deed, their_label)


COMMANDS = (
    DifferenceCommand(
        "next", "&Next Difference",
        "Go to the next difference between you and the second annotator, worst first",
        "N", lambda deciding: deciding.step(1), everywhere=("Ctrl+Alt+N",),
        icon="skip-next-outline",
    ),
    DifferenceCommand(
        "previous", "&Previous Difference",
        "Go to the previous difference between you and the second annotator",
        "P", lambda deciding: deciding.step(-1), everywhere=("Ctrl+Alt+Shift+N",),
        icon="skip-previous-outline",
    ),
    DifferenceCommand(
        "keep", "&Keep Mine", "Decide for your side",
        "K", _verdict(Deed.KEPT), "Keep mine",
    ),
    DifferenceCommand(
        "take", "&Take Theirs", "Decide for the second annotator's side",
        "T", _verdict(Deed.TAKEN), "Take theirs",
    ),
    DifferenceCommand(
        "merge", "&Merge", "Make one region of both, with your label (Shift+M: with theirs)",
        "M", _verdict(Deed.MERGED), "Merge",
    ),
    DifferenceCommand(
        "merge_theirs", "Merge with Their &Label",
        "Make one region of both, with the second annotator's label",
        "Shift+M", _verdict(Deed.MERGED, their_label=True),
    ),
    DifferenceCommand(
        "undecided", "Mark &Undecided",
        "Leave the difference to somebody else; the region is flagged as uncertain",
        "U", _verdict(Deed.UNDECIDED), "Undecided",
    ),
)  # fmt: skip


MENU = Menu(
    "annotate",
    "&Annotate",
    5,
    (
        Action(
            "annotate.author",
            "&Author…",
            lambda window: ask_author(window),
            before=always,
            icon="account-edit-outline",
            words="name user annotator who",
            tip="Set your name, which is kept with each region that you draw or change",
        ),
        Action(
            "second.open",
            "&Open Folder…",
            lambda window: ask_second(window),
            enabled=has_pages,
            icon="account-multiple-outline",
            tip="Compare the pages with the truth that another person has drawn of them",
            section=_SECTION,
        ),
        Action(
            "second.open_file",
            "Open &File…",
            lambda window: ask_second(window, file=True),
            enabled=has_pages,
            words="label studio export several annotators",
            tip="Compare the pages with a truth file, such as an export of Label Studio, of whose "
            "annotators you choose one",
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
        *(command.action for command in COMMANDS),
        Action(
            "second.decisions",
            "Folder for &Decisions…",
            lambda window: ask_decisions(window),
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


def ask_author(window: Window) -> QInputDialog:
    """Open a small dialog with the name that is used now; the window can be used beside it."""
    author = window.workbench.author
    dialog = QInputDialog(window.frame)
    OnScreen(dialog)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle("Author")
    dialog.setLabelText(
        "Your name, which is kept with each region that you draw or change.\n"
        f"Leave it empty to use the name of your account, {account_name() or 'which has none'}."
    )
    dialog.setTextValue(author.name)
    dialog.textValueSelected.connect(author.set)
    dialog.textValueSelected.connect(
        lambda _: window.workbench.said.emit(f"Regions are now signed by {author.name}", False)
    )
    dialog.open()
    return dialog


def ask_second(window: Window, *, file: bool = False) -> None:
    """Open a second annotator's folder beside the collection, or a file."""
    second = _second(window)

    def open_of(path: Path, annotator: str = "") -> None:
        window.docks.bring("second")
        second.open(path, annotator)

    def read(path: Path, names: list[str]) -> None:
        if not names:
            open_of(path)
            return
        dialog = QInputDialog(window.frame)
        OnScreen(dialog)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle("Second Annotator")
        dialog.setLabelText(f"{path.name} has the work of {len(names)} annotators. Compare with:")
        dialog.setComboBoxItems(names)
        dialog.textValueSelected.connect(lambda name: open_of(path, name))
        dialog.open()

    def chosen(path: Path) -> None:
        second.listing.start(annotators_of, path, done=lambda names: read(path, names))

    mode = FileDialog.FileMode.ExistingFile if file else FileDialog.FileMode.Directory
    _ask(window, f"{'File' if file else 'Folder'} of the second annotator", chosen, mode)


def ask_decisions(window: Window) -> None:
    """Choose the folder that decisions and the third truth are kept in."""
    title = "Folder for what is decided: an empty one, or one with decisions"
    _ask(window, title, _deciding(window).open)


def _ask(
    window: Window,
    title: str,
    chosen: Callable[[Path], object],
    mode: FileDialog.FileMode = FileDialog.FileMode.Directory,
) -> None:
    folder = window.workbench.collection.folder
    beside = None if folder is None else folder.parent
    FileDialog(window.frame, title, beside, mode).ask(chosen)
