"""The Systems menu: open votes, weigh who casts them, take the figures along."""

from __future__ import annotations

from spotlab.gui.workspace import Action, Menu, Window, always, needs
from spotlab.libraries import late_imports

with late_imports(__name__):
    from spotlab.gui.systems import state
    from spotlab.gui.systems.partial_truth import partial_truth
    from spotlab.gui.systems.ranking import superiority
    from spotlab.gui.systems.votes import dialog


@needs("Go to Systems first")
def _there(window: Window) -> bool:
    return window.workbench.workspace == "systems"


@needs("Open votes first", _there)
def _has_votes(window: Window) -> bool:
    return window.workbench.state(state.Systems).table is not None


@needs("These votes have no truth", _has_votes)
def _has_truth(window: Window) -> bool:
    return window.workbench.state(state.Systems).oracle is not None


@needs("No systems are compared yet", _has_votes)
def _compared(window: Window) -> bool:
    return window.workbench.state(state.Systems).comparison is not None


def _save_agreement(window: Window) -> None:
    from spotlab.gui.systems.agreement.agreement import AgreementPanel  # noqa: PLC0415 - plots

    window.docks.bring("agreement")
    window.panel(AgreementPanel).save_picture()


def ask_for_answers(window: Window) -> None:
    """Bring Partial Truth in front; the keys answer from now on."""
    window.docks.bring("partial_truth")
    window.panel(partial_truth.PartialTruthPanel).setFocus()


def open_votes(window: Window) -> None:
    """Ask for files of votes, and open them."""
    window.enter("systems")
    dialog.ask_votes(window.workbench, window.frame)


def open_example(window: Window) -> None:
    """Open the example of Lamiroy & Sun (2013)."""
    window.enter("systems")
    dialog.open_example(window.workbench.state(state.Systems))


def open_sample(window: Window) -> None:
    """Open this user's copy of the sample contest."""
    window.enter("systems")
    dialog.open_sample(window.workbench)


MENU = Menu(
    "systems",
    "S&ystems",
    7,
    (
        Action(
            "systems.open",
            "&Open Votes…",
            open_votes,
            ("Ctrl+Alt+O",),
            before=always,
            icon="scale-balance",
            words="load csv",
            tip="Tables of votes, TREC runs, spotting runs, or texts of several systems",
        ),
        Action(
            "systems.example",
            "Open the Paper's &Example",
            open_example,
            before=always,
            icon="school-outline",
            tip="Three systems and seven items: Table 1 of Lamiroy & Sun (2013)",
        ),
        Action(
            "systems.sample",
            "Open the &Sample Contest",
            open_sample,
            before=always,
            icon="trophy-outline",
            tip="24 simulated text pipelines on three engines: your own copy, to try things on",
        ),
        Action(
            "systems.close",
            "&Close Votes",
            lambda window: window.workbench.state(state.Systems).close(),
            enabled=_has_votes,
            icon="close",
            tip="Let go of the votes; files stay as they are",
        ),
        Action(
            "systems.answer",
            "&Answer Items",
            ask_for_answers,
            enabled=_has_votes,
            icon="comment-question-outline",
            tip="Say of some items whether they are relevant: all figures become more accurate",
            rule=True,
        ),
        Action(
            "systems.paper",
            "Weights as in the &Paper",
            lambda window: window.workbench.state(state.Systems).reset_weights(),
            enabled=_has_votes,
            icon="restore",
            tip="All systems, ⊤ and ⊥ count the same, the truth nothing",
        ),
        Action(
            "systems.share",
            "Weights &without ⊤ ⊥",
            lambda window: window.workbench.state(state.Systems).leave_out_virtual(),
            enabled=_has_votes,
            icon="vote-outline",
            tip="All systems count the same, nobody else does: the share of votes",
        ),
        Action(
            "systems.truth",
            "&Truth Alone",
            lambda window: window.workbench.state(state.Systems).trust_truth(),
            enabled=_has_truth,
            icon="check-decagram-outline",
            tip="Only the truth counts: ordinary precision and recall",
        ),
        Action(
            "systems.csv",
            "Export Figures as CS&V…",
            lambda window: superiority.ask_where(window.workbench, window, superiority.CSV),
            enabled=_compared,
            icon="file-delimited-outline",
            words="save table numbers",
            tip="Precision, recall, F and rank of every system, unrounded",
            rule=True,
        ),
        Action(
            "systems.json",
            "Export Comparison as &JSON…",
            lambda window: superiority.ask_where(window.workbench, window, superiority.JSON),
            enabled=_compared,
            icon="code-json",
            tip="All methods, agreement, groups, intervals and warnings",
        ),
        Action(
            "systems.save_agreement",
            "Save A&greement Matrix…",
            _save_agreement,
            enabled=_compared,
            icon="image-outline",
            tip="Save the picture of the agreement between systems, as SVG, PDF or PNG",
        ),
        Action(
            "systems.save_bars",
            "Save &Bars of Precision and Recall…",
            lambda window: superiority.ask_bars(window.workbench, window.frame),
            enabled=_compared,
            icon="chart-bar",
            words="figure 1 2 plot",
            tip="Figs. 1 and 2 of Lamiroy & Sun: by the method that you look at, and with truth",
        ),
        Action(
            "systems.report",
            "Write &Report…",
            lambda window: superiority.ask_where(window.workbench, window, superiority.REPORT),
            enabled=_compared,
            icon="file-chart-outline",
            words="print html summary results save",
            tip="A page with tables and plots in a new folder",
        ),
    ),
)
