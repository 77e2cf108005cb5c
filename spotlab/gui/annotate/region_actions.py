"""The Region menu: what can be done to the selected regions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from spotlab.errors import SpotlabError
from spotlab.gui.annotate import label_actions
from spotlab.gui.annotate.order import actions as order_actions
from spotlab.gui.annotate.similar import actions as similar
from spotlab.gui.kit.settings import SNAP
from spotlab.gui.workspace import Action, Menu, Window, has_selection, may_draw, needs
from spotlab.libraries import late_imports
from spotlab.model import Ignore, Page, Primitive, Region
from spotlab.model.region import DIGITS

with late_imports(__name__):
    from spotlab.editing import operations
    from spotlab.gui.annotate import label_finder
    from spotlab.gui.annotate.panels import properties
    from spotlab.gui.annotate.rooms import rooms


Change = Callable[[Sequence[Region], Page], Iterable[Region]]


def change(name: str, how: Change, merge: bool = False) -> Callable[[Window], None]:
    """Return what replaces the selected regions by others, or says why it cannot."""

    def run(window: Window) -> None:
        workbench = window.workbench
        document = workbench.document
        if document is None or not workbench.selected:
            return
        try:
            changed = list(how(workbench.selected, document.page))
        except SpotlabError as error:
            workbench.said.emit(str(error), True)
            return
        workbench.editing.replace_regions(name, changed, merge=merge)

    return run


def _as(primitive: Primitive) -> Change:
    return lambda regions, page: [
        operations.as_primitive(region, primitive, page) for region in regions
    ]


def _turn(angle: float) -> Change:
    return lambda regions, page: [operations.rotate(region, angle, page) for region in regions]


def _mirror(sx: float, sy: float) -> Change:
    return lambda regions, page: [operations.scale(region, sx, sy, page) for region in regions]


def _merge(window: Window) -> None:
    workbench = window.workbench
    document = workbench.document
    if document is None:
        return
    regions = workbench.selected
    try:
        merged = operations.merge(regions, document.page)
    except SpotlabError as error:
        workbench.said.emit(str(error), True)
        return
    gone = [region.id for region in regions[1:]]
    edits = [*document.replacing(merged), *document.removing(gone)]
    if workbench.editing.do(f"Merge {len(regions)} regions", edits):
        workbench.selection.set([merged.id])


def _duplicate(window: Window) -> None:
    workbench = window.workbench
    document = workbench.document
    if document is None:
        return
    copies = [operations.duplicate(each, (10, 10), document.page) for each in workbench.selected]
    if workbench.editing.do("Duplicate", document.adding(*copies)):
        workbench.selection.set([copy.id for copy in copies])


def _nudge(name: str, key: str, dx: int, dy: int, far: bool) -> Action:
    step = 10 if far else 1

    def move(regions: Sequence[Region], page: Page) -> list[Region]:
        return operations.move_all(regions, dx * step, dy * step, page)

    return Action(
        f"region.nudge_{name}{'_far' if far else ''}",
        f"{name.capitalize()} by {step} px",
        change("Nudge", move, merge=True),
        (f"Shift+{key}" if far else key,),
        enabled=has_selection,
        tip=f"Move the selected regions {name} by {step} px",
        section="Nudge",
        on_canvas=True,
        repeats=True,
    )


def _digit(digit: str) -> Action:
    def run(window: Window) -> None:
        label = window.workbench.labels.by_digit(digit)
        if label:
            window.workbench.editing.apply_label(label.name)
        else:
            text = f"No label has the key {digit} · a letter finds or adds one"
            window.workbench.said.emit(text, False)

    def title(window: Window) -> str:
        label = window.workbench.labels.by_digit(digit)
        return label.name if label else f"(key {digit} is free)"

    return Action(
        f"label.key_{digit}",
        title,
        run,
        (digit,),
        enabled=may_draw,
        tip=f"Give the selected regions, and those drawn next, the label with the key {digit}",
        section="Label by Key",
        on_canvas=True,
    )


def _comment(window: Window) -> None:
    window.docks.bring("properties")
    window.panel(properties.PropertiesPanel).focus_comment()


@needs("Select two or more regions first", has_selection)
def _has_several(window: Window) -> bool:
    return len(window.workbench.selection) > 1


def _is_uncertain(window: Window) -> bool:
    regions = window.workbench.selected
    return bool(regions) and all(region.uncertain for region in regions)


def _is_ignored(ignore: Ignore) -> Callable[[Window], bool]:
    def is_ignored(window: Window) -> bool:
        regions = window.workbench.selected
        return bool(regions) and all(region.ignore is ignore for region in regions)

    return is_ignored


def _ignore(ignore: Ignore, title: str, key: str, tip: str) -> Action:
    return Action(
        f"region.ignore_{ignore}",
        title,
        lambda window: window.workbench.editing.toggle_ignore(ignore),
        (key,),
        enabled=has_selection,
        checked=_is_ignored(ignore),
        tip=tip,
        section="Ignore",
    )


def _turned_boxes(regions: Sequence[Region], page: Page) -> list[Region]:
    return [operations.make_turned_box(region, page) for region in regions]


def _shape(
    primitive: Primitive, title: str, key: str, tip: str, how: Change | None = None, name: str = ""
) -> Action:
    return Action(
        f"region.make_{name or primitive}",
        title,
        change(title.replace("&", ""), how or _as(primitive)),
        (key,) if key else (),
        enabled=has_selection,
        tip=tip,
        section="Outline",
    )


_TURNS = (
    Action(
        "region.rotate_right",
        "Rotate 90° &Right",
        change("Rotate", _turn(90)),
        ("Ctrl+Shift+Right",),
        enabled=has_selection,
        icon="rotate-right",
        words="turn",
        tip="Rotate each selected region by 90° clockwise about its centre",
        section="Turn",
    ),
    Action(
        "region.rotate_left",
        "Rotate 90° &Left",
        change("Rotate", _turn(-90)),
        ("Ctrl+Shift+Left",),
        enabled=has_selection,
        icon="rotate-left",
        words="turn",
        tip="Rotate each selected region by 90° anticlockwise about its centre",
        section="Turn",
    ),
    Action(
        "region.mirror_across",
        "Flip &Horizontally",
        change("Mirror", _mirror(-1, 1)),
        enabled=has_selection,
        icon="flip-horizontal",
        words="mirror reflect",
        tip="Mirror each selected region, left to right",
        section="Turn",
    ),
    Action(
        "region.mirror_down",
        "Flip &Vertically",
        change("Mirror", _mirror(1, -1)),
        enabled=has_selection,
        icon="flip-vertical",
        words="mirror reflect",
        tip="Mirror each selected region, top to bottom",
        section="Turn",
    ),
)

_NUDGES = tuple(
    _nudge(name, key, dx, dy, far)
    for far in (False, True)
    for name, key, dx, dy in (
        ("left", "Left", -1, 0),
        ("right", "Right", 1, 0),
        ("up", "Up", 0, -1),
        ("down", "Down", 0, 1),
    )
)


def _snaps(window: Window) -> bool:
    return window.workbench.settings.get(SNAP)


MENU = Menu(
    "region",
    "&Region",
    5,
    (
        Action(
            "region.label",
            "&Label…",
            lambda window: window.part(label_finder.LabelFinder).open(),
            ("Return",),
            enabled=may_draw,
            icon="tag-outline",
            words="class category tag assign",
            tip="Find a label by a few of its letters; typing a letter on the page does the same",
            on_canvas=True,
        ),
        *(_digit(digit) for digit in DIGITS),
        Action(
            "region.uncertain",
            "&Uncertain",
            lambda window: window.workbench.editing.toggle_uncertain(),
            ("Ctrl+U",),
            enabled=has_selection,
            checked=_is_uncertain,
            icon="help-circle-outline",
            words="unsure doubtful flag",
            tip="Mark the selected regions as uncertain, or remove the mark",
        ),
        _ignore(
            Ignore.SYMBOL,
            "&Symbol",
            "Ctrl+Shift+I",
            "Leave each selected region out of evaluation: nobody has to find this symbol, and a "
            "spot on it is not false. Choose again to count it",
        ),
        _ignore(
            Ignore.AREA,
            "&Area with Several Symbols",
            "Ctrl+Alt+I",
            "Leave the selected area out of evaluation: spots in it are neither right nor false. "
            "Without a label it is left out for every query. Choose again to count it",
        ),
        Action(
            "region.comment",
            "&Comment…",
            _comment,
            ("Ctrl+M",),
            enabled=has_selection,
            icon="comment-outline",
            words="note remark text",
            tip="Write a comment on the selected regions",
        ),
        Action(
            "region.merge",
            "&Merge",
            _merge,
            ("Ctrl+J",),
            enabled=_has_several,
            icon="set-merge",
            words="join unite combine",
            tip="Merge the selected regions into one",
            rule=True,
        ),
        Action(
            "region.duplicate",
            "&Duplicate",
            _duplicate,
            ("Ctrl+D",),
            enabled=has_selection,
            icon="content-duplicate",
            words="clone copy",
            tip="Insert a copy of the selected regions next to them",
        ),
        _shape(
            Primitive.POLYGON,
            "Make &Free",
            "Ctrl+Shift+F",
            "Change the outline to a free polygon, which need not be convex",
        ),
        _shape(
            Primitive.HULL, "Make &Hull", "Ctrl+Shift+H", "Change the outline to its convex hull"
        ),
        _shape(
            Primitive.BOX, "Make &Box", "Ctrl+Shift+B", "Change the outline to its bounding box"
        ),
        _shape(
            Primitive.BOX,
            "Make &Turned Box",
            "",
            "Change the outline to the smallest box around it, in any direction",
            _turned_boxes,
            "turned_box",
        ),
        _shape(
            Primitive.ELLIPSE,
            "Make &Ellipse",
            "",
            "Change the outline to the ellipse that fits it best",
        ),
        _shape(
            Primitive.ISOTHETIC,
            "Make &Isothetic",
            "",
            "Change the outline to edges parallel to x and y",
        ),
        *_TURNS,
        *_NUDGES,
        Action(
            "region.snap",
            "&Snap to Regions",
            lambda window: window.workbench.settings.set(SNAP, not _snaps(window)),
            enabled=may_draw,
            preference=True,
            checked=_snaps,
            words="magnet attach align shared border corner edge",
            tip="Corners that you set or drag go to the corner or edge of a region that is near; "
            "Alt leaves them where they are",
        ),
        *order_actions.ACTIONS,
        *label_actions.VISIBILITY,
        *label_actions.LABEL_SETS,
        *similar.ACTIONS[:3],
        Action(
            "proposals.rooms",
            "Propose Roo&ms",
            lambda window: rooms.propose_rooms(window.workbench),
            ("Ctrl+Alt+R",),
            enabled=may_draw,
            icon="floor-plan",
            tip="Propose every enclosed space of this floor plan, with doors and windows closed",
        ),
        *similar.ACTIONS[3:],
    ),
)
