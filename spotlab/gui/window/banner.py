"""A slim strip over the canvas for what has to be known, with what can be done about it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QColor, QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QBoxLayout,
    QFrame,
    QLabel,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from spotlab import registry
from spotlab.formats.collection.folder import PageEntry
from spotlab.gui.kit import theme
from spotlab.gui.kit import theme as icons
from spotlab.gui.kit.controls import set_up
from spotlab.gui.kit.widgets import Flow, in_row
from spotlab.gui.pages.offers import Offer
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.window.dialogs.file_dialogs import ask
from spotlab.gui.workspace import Choice

ICONS = {
    "recovered": ("backup-restore", "#009E73"),
    "changed": ("file-alert-outline", "#E69F00"),
    "unsaved": ("content-save-alert-outline", "#D55E00"),
    "unfinished": ("progress-alert", "#D55E00"),
    "unreadable": ("alert-circle-outline", "#D55E00"),
    "refused": ("alert-circle-outline", "#D55E00"),
    "error": ("bug-outline", "#D55E00"),
    "label set": ("lock-outline", "#E69F00"),
    "in use": ("file-lock-outline", "#E69F00"),
    "foreign truth": ("database-import-outline", "#0072B2"),
    "offer": ("shield-alert-outline", "#E69F00"),
    "remark": ("information-outline", "#0072B2"),
}
WIDE = 640  # px
KEPT = ("recovered", "changed", "unsaved", "unfinished", "unreadable", "in use", "refused", "error")


@dataclass(frozen=True)
class _Message:
    """Message waiting behind a newer one."""

    kind: str
    text: str
    choices: list[Choice]
    entry: PageEntry | None


class Banner(QFrame):
    """Shows one message at a time: the newest, and without one an offer that waits.

    Messages that have to be answered wait behind a newer one, and are shown again after it. What
    the window refuses to do stays until it is closed or tried again.
    """

    def __init__(
        self, workbench: Workbench, save_copy: Callable[[], object], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.workbench = workbench
        self._save_copy = save_copy
        self.kind = ""
        self._entry = workbench.entry  # of the page that was open when the message came
        self._choices_shown: list[Choice] = []
        self._behind: list[_Message] = []
        self._act: tuple[str, list[Choice]] = ("", [])  # the id of what the user does, a way out
        self._refused_act = ""
        self._offer: Offer | None = None  # that is shown
        self.mark = QLabel()
        self.text = QLabel(wordWrap=True)
        self.text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.buttons = Flow()
        self.close_button = set_up(QToolButton(), tip="Dismiss", does=self._close)
        layout = in_row(self.mark, of=self, margins=(12, 6, 8, 6), spacing=10)
        self._inside = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._inside.addWidget(self.text, 1)
        self._inside.addLayout(self.buttons)
        layout.addLayout(self._inside, 1)
        layout.addWidget(self.close_button)
        workbench.trouble.connect(self.tell)
        workbench.said.connect(self._refuse)
        workbench.retried.connect(self._forget_refusal)
        workbench.history_moved.connect(self._end_act)
        workbench.collection_changed.connect(partial(self.withdraw, "refused"))
        workbench.finished.connect(lambda: QTimer.singleShot(0, self, self._forget_act), self)
        workbench.page_changed.connect(self._follow_page)
        workbench.offers.changed.connect(self._show_offer)
        icons.repainted.changed.connect(self._paint)
        self._paint()
        self.hide()

    def begin_act(self, action: QAction) -> None:
        """Note what the user does: what was refused of it before is being answered.

        An action that asks for something is offered again if it is refused.
        """
        id = action.objectName()
        if self._refused_act == id:
            self.withdraw("refused")
        asks = action.text().endswith("…") and id != "edit.commands"
        again = (action.text().replace("&", ""), action.statusTip(), action.trigger)
        self._act = id, [again] if asks else []

    def tell(self, kind: str, text: str) -> None:
        """Show what the workbench is troubled by, or that it is over."""
        if kind == "solved":
            self.withdraw("changed", "unsaved", "unreadable", "unfinished")
            return
        if kind == "free":
            self.withdraw("in use")
            return
        self.show_message(kind, text, self._choices(kind, text))

    def show_error(self, text: str, details: str) -> None:
        """Something went wrong that should not; the details can be copied."""
        self._show_with_details("error", text, details)

    def show_remark(self, text: str, details: str) -> None:
        """Something was done, and there is more to say on it."""
        self._show_with_details("remark", text, details)

    def show_message(self, kind: str, text: str, choices: list[Choice]) -> None:
        """Show a line and buttons."""
        if self.kind in KEPT and self.kind != kind:
            self._behind.append(
                _Message(self.kind, self.text.text(), self._choices_shown, self._entry)
            )
        self._behind = [message for message in self._behind if message.kind != kind]
        self._choices_shown = choices
        self.kind, self._entry = kind, self.workbench.entry
        self.text.setText(text)
        self.text.setToolTip("")
        while (item := self.buttons.takeAt(0)) is not None:
            widget = item.widget()
            if widget:
                widget.hide()  # it may be deleted only when all handling of events is over
                widget.deleteLater()
        for title, tip, run in choices:
            button = set_up(QPushButton(title), tip=tip, does=lambda _=False, run=run: run())
            self.buttons.addWidget(button)
        self._paint()
        self.show()

    def dismiss(self) -> None:
        """Take it away."""
        self.kind = ""
        self.hide()
        if not self._behind:
            self._show_offer()
            return
        message = self._behind.pop()
        if message.kind in ("changed", "unsaved"):  # which may be of another page now
            self.tell(message.kind, message.text)
        else:
            self.show_message(message.kind, message.text, message.choices)
            self._entry = message.entry

    def withdraw(self, *kinds: str) -> None:
        """Take it away if it is of one of these kinds."""
        self._behind = [message for message in self._behind if message.kind not in kinds]
        if self.kind in kinds:
            self.dismiss()

    def _refuse(self, text: str, serious: bool) -> None:
        """Let what was refused stand, with a way out."""
        if serious:
            self._refused_act, way_out = self._act
            self.show_message("refused", text, way_out)

    def _forget_refusal(self, text: str) -> None:
        """Try again what was refused with this text."""
        if self.kind == "refused" and self.text.text() == text:
            self.dismiss()

    def _end_act(self) -> None:
        """A step was made: what was refused of others before needs no answer any more."""
        if not self._act[1] and self._refused_act == self._act[0]:
            self.withdraw("refused")
        self._forget_act()

    def _forget_act(self) -> None:
        self._act = "", []

    def _follow_page(self) -> None:
        """Offer nothing any more that would be done to another page than the one it is about."""
        entry = self.workbench.entry
        of_page = ("unreadable", "in use")
        self._behind = [
            message
            for message in self._behind
            if message.entry == entry or message.kind not in of_page
        ]
        if self.workbench.entry != self._entry:
            self.withdraw("unreadable", "in use")
            if self.kind in ("changed", "unsaved"):
                self.tell(self.kind, self.text.text())
        self._show_offer()

    def _show_offer(self) -> None:
        """Show the offer that waits, unless there is another message."""
        if self.kind not in ("", "offer"):
            return
        entry = self.workbench.entry
        offer = self.workbench.offers.next(entry.truth_path if entry else None)
        if offer:
            self.show_message("offer", offer.question.text, self._answers(offer))
        elif self.kind:
            self.dismiss()
        self._offer = offer

    def _answers(self, offer: Offer) -> list[Choice]:
        question, answer = offer.question, self.workbench.offers.answer
        show = partial(ask, question, partial(answer, offer, True), self)
        return [
            (question.accept, "Carry out the changes", partial(answer, offer, True)),
            ("Leave", "Change nothing and ask again later", partial(answer, offer, False)),
            ("Show…", "List the changes", show),
        ]

    def _close(self) -> None:
        if self.kind == "offer" and self._offer:
            self.workbench.offers.answer(self._offer, False)
        else:
            self.dismiss()

    def _go_to_page(self) -> None:
        """Open the page whose truth file the message is about."""
        workbench = self.workbench
        path = workbench.autosave.file_of(self.text.text())
        pages = [at for at, entry in enumerate(workbench.entries) if entry.truth_path == path]
        if pages:
            workbench.open_page(pages[0])

    def _is_of_open_page(self, text: str) -> bool:
        """Tell whether a truth file that is not saved is that of the open page."""
        path, entry = self.workbench.autosave.file_of(text), self.workbench.entry
        return path is None or entry is None or entry.truth_path == path

    def _show_with_details(self, kind: str, text: str, details: str) -> None:
        copy = ("Copy details", details[-1500:], lambda: QApplication.clipboard().setText(details))
        self.show_message(kind, text, [copy])
        self.text.setToolTip(details[-1500:])

    def _choices(self, kind: str, text: str) -> list[Choice]:
        workbench = self.workbench
        here = self._is_of_open_page(text)
        go = ("Go to the page", "Open the page that is not saved", self._go_to_page)
        reload = (
            "Reload",
            "Read the file again and discard the changes made here",
            workbench.reload,
        )
        copy = ("Save a copy…", "Write the truth to another file", self._save_copy)
        match kind:
            case "changed":
                overwrite = (
                    "Keep mine",
                    "Overwrite the file with the changes made here",
                    lambda: workbench.save(overwrite=True),
                )
                return [reload, overwrite, copy] if here else [go]
            case "unsaved":
                again = (
                    "Try again",
                    "Save now; spotlab also retries automatically",
                    workbench.save,
                )
                return [again, copy if here else go]
            case "unfinished":
                steps = workbench.collection_steps
                return [
                    (
                        "Try again",
                        "Continue now; otherwise the next start continues automatically",
                        steps.try_again,
                    ),
                    ("Undo", "Restore the previous state of all pages", steps.take_back),
                    (
                        "Leave",
                        "Keep the pages as they are now; some of them are changed",
                        steps.leave,
                    ),
                ]
            case "unreadable":
                return [("Try again", "Read the page again", workbench.reload)]
        return []

    def _paint(self) -> None:
        name, self._colour = ICONS.get(self.kind, ICONS["remark"])
        self.mark.setPixmap(icons.pixmap(name, 20, self._colour))
        self.close_button.setIcon(icons.icon("close"))
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The buttons go below the text where there is little width."""
        wide = event.size().width() >= WIDE
        direction = QBoxLayout.Direction
        self._inside.setDirection(direction.LeftToRight if wide else direction.TopToBottom)
        super().resizeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The theme's chrome with a tint of the message's colour."""
        palette = self.palette()
        tint, window = QColor(self._colour), palette.color(QPalette.ColorRole.Window)
        share = 0.22 if theme.is_dark(palette) else 0.13
        mixed = [
            round(share * a + (1 - share) * b)
            for a, b in zip(_rgb(tint), _rgb(window), strict=True)
        ]
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(*mixed))
            painter.fillRect(0, self.height() - 1, self.width(), 1, palette.mid())


def _rgb(colour: QColor) -> tuple[int, int, int]:
    return colour.red(), colour.green(), colour.blue()


class PluginProblems(QObject):
    """Shows in the banner what the registry leaves out, in whatever thread it is found."""

    _arrived = Signal(str)

    def __init__(self, banner: Banner) -> None:
        super().__init__(banner)
        self._banner = banner
        self._arrived.connect(self._show, Qt.ConnectionType.QueuedConnection)
        disconnect = registry.on_problem(self._arrived.emit)
        self.destroyed.connect(disconnect)
        if registry.problems():
            self._show()

    def _show(self, _: str = "") -> None:
        lines = registry.problems()
        text = lines[0]
        if len(lines) > 1:
            text = (
                f"{len(lines)} extensions from other packages cannot be used, for example: {text}"
            )
        self._banner.show_remark(f"{text}. Help → About spotlab lists them.", "\n".join(lines))
