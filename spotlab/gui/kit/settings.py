"""The settings of the window: what is remembered of its user, with names, types and defaults."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Generic, Literal, TypeVar

import msgspec
import platformdirs
from msgspec import Meta, Struct

from spotlab.formats.collection.label_file import RoomChoices
from spotlab.formats.rows.files import clear_stale
from spotlab.formats.shared.checked_json import MISSING, fit, parse_object
from spotlab.formats.shared.shared_file import Merged, Read, SharedFile, merge_lists, merge_mappings
from spotlab.gui.kit import background
from spotlab.gui.kit.files import KeptFile
from spotlab.imaging.ink import InkSettings
from spotlab.model import Primitive
from spotlab.signal import Signal

Value = TypeVar("Value")


@dataclass(frozen=True)
class KnownSetting(Generic[Value]):
    """A value that is remembered from one start to the next.

    Attributes
    ----------
    name : str
        In the file. One that ends with a point stands for a family of settings; see `of`.
    kind : type
        What its value has to be, as `msgspec` understands it.
    default : object
        The value where none is remembered, or a wrong one.
    unites : bool
        Of a list of texts: what two windows add to it is all kept.
    title : str
        What it is called where two windows have changed the same value; empty if nobody needs to
        know.

    Examples
    --------
    >>> KnownSetting("window.state.", Text, "").of("words").name
    'window.state.words'
    """

    name: str
    kind: Any
    default: Value
    unites: bool = False
    title: str = ""

    def of(self, name: str) -> KnownSetting[Value]:
        """Return the setting of the family with this name."""
        return replace(self, name=self.name + name)


Share = Annotated[float, Meta(ge=0, le=1)]
Text = Annotated[str, Meta(pattern="^[^\ud800-\udfff]*$")]  # unlike the names of files
FileName = Annotated[str, Meta(pattern="^[^\0]+$")]


class ExportChoices(Struct, frozen=True):
    """Format and images of the last export; empty if there was none."""

    format: str = ""
    images: str = ""


class SpotterCommand(Struct, frozen=True):
    """The command of a spotter of the user's own, the ending of its file, and where it works."""

    command: Text
    ending: Text = ".csv"
    folder: FileName | None = None


class ComparisonSetting(Struct, frozen=True):
    """The second annotator's folder, that of what is decided, and from which IoU regions match.

    Of a file of several annotators, ``annotator`` is the one who is compared.
    """

    theirs: FileName | None = None
    annotator: Text = ""
    decided: FileName | None = None
    limits: tuple[Share, Share] | None = None


AUTHOR = KnownSetting("author", Text, "", title="the name of the annotator")
STARTED = KnownSetting("started", bool, False)
FAST_OFFERED = KnownSetting("fast_offered", bool, False)
REOPEN = KnownSetting("reopen", bool, True)
THEME = KnownSetting("theme", Literal["system", "light", "dark"], "system")
PAPER = KnownSetting("paper", Literal["plain", "dimmed", "inverted"], "plain")
KEYS: KnownSetting[Mapping[str, list[str]]] = KnownSetting(
    "keys", dict[Text, list[Text]], {}, title="the keys of"
)
GEOMETRY = KnownSetting("window.geometry", Text, "")
PANELS = KnownSetting("window.state.", Text, "")
FOLDED: KnownSetting[Mapping[str, list[str]]] = KnownSetting(
    "window.folded.", dict[str, list[Text]], {}
)
CENTRE = KnownSetting("window.centre.", Share, 0.62)
SNAP = KnownSetting("snap", bool, False)  # corners to regions that are near
KEEP_ZOOM = KnownSetting("keep_zoom", bool, False)
READING_ORDER = KnownSetting("reading_order", bool, False)
MINIMAP = KnownSetting("minimap", bool, True)
FIRST_STEPS = KnownSetting("first_steps", bool, True)  # whether they are still offered
CAPTIONS = KnownSetting("captions", bool, True)
TOOL_NAMES = KnownSetting("tool_names", bool, True)
RECENT: KnownSetting[list[str]] = KnownSetting("recent", list[FileName], [], unites=True)
LAST_PAGES: KnownSetting[Mapping[str, tuple[str, int]]] = KnownSetting(
    "last_pages", dict[str, tuple[FileName, int]], {}
)
OPEN_WITH: KnownSetting[Mapping[str, Mapping[str, Any]]] = KnownSetting(
    "open_with", dict[str, dict[str, Any]], {}
)
EXPORT = KnownSetting("export", ExportChoices, ExportChoices())
INK = KnownSetting("ink", InkSettings, InkSettings())
INK_SHARE = KnownSetting("share", Annotated[float, Meta(ge=0, lt=1)], 0.5)
PRIMITIVE = KnownSetting("primitive", Primitive, Primitive.HULL)
ROOMS = KnownSetting("rooms", RoomChoices, RoomChoices())
COMPARISONS: KnownSetting[Mapping[str, ComparisonSetting]] = KnownSetting(
    "second_annotators", dict[str, ComparisonSetting], {}
)
RUN_STYLES: KnownSetting[Mapping[str, int]] = KnownSetting("styles of runs", dict[str, int], {})
ANNOTATION_FILES: KnownSetting[Mapping[str, str]] = KnownSetting(
    "annotation files of runs", dict[str, FileName], {}
)
SPOTTERS: KnownSetting[Mapping[str, SpotterCommand]] = KnownSetting(
    "spotters", dict[Text, SpotterCommand], {}, title="the spotter"
)
LAST_SPOTTER = KnownSetting("last spotter", Text, "")
READS_CHANGED_RUNS = KnownSetting("runs.read_changed", bool, True)
OPACITY = KnownSetting("inspect.opacity", Share, 0.8)
OVERLAY = KnownSetting("inspect.overlay", Literal["areas", "symbols", "both"], "areas")
VIEW = KnownSetting("inspect.view", Literal["areas", "detector"], "areas")
LEGEND_FOLDED: KnownSetting[bool | None] = KnownSetting("inspect.legend_folded", bool | None, None)
CURVES_BY = KnownSetting("curves.by", Literal["recall", "threshold"], "recall")
CURVES_QUERIES = KnownSetting("curves.queries", bool, True)
CURVES_BAND = KnownSetting("curves.band", bool, True)
CURVES_BANDS_OF_MANY = KnownSetting("curves.bands_of_many", bool, False)
LARGE_CURVE = KnownSetting("curves.large", Text, "")
CUT_FIGURES: KnownSetting[list[str]] = KnownSetting("curves.figures", list[str], [])
FIGURE_COLUMNS: KnownSetting[list[str]] = KnownSetting("figures.columns", list[str], [])
SYSTEM_COLUMNS: KnownSetting[list[str]] = KnownSetting("systems.columns", list[str], [])
PICTURE_HEIGHT = KnownSetting("words.picture_height", Annotated[int, Meta(ge=1, le=1000)], 40)
WORDS_FLOW = KnownSetting("words.flow", bool, False)
WORDS_ONLY_INK = KnownSetting("words.only_ink", bool, False)
WORDS_LEVEL = KnownSetting("words.level", bool, False)
WORDS_ALL_MOVES = KnownSetting("words.all_moves", bool, False)
WORDS_FOLLOW_CUT = KnownSetting("words.follow_cut", bool, True)

KNOWN: tuple[KnownSetting[Any], ...] = tuple(
    value for value in tuple(globals().values()) if isinstance(value, KnownSetting)
)


def known_setting(name: str) -> KnownSetting[Any] | None:
    """Find the setting of this name; None if only a plug-in, or another version, knows it.

    Examples
    --------
    >>> known_setting("window.centre.inspect").default
    0.62
    """
    for setting in KNOWN:
        if name == setting.name or (setting.name.endswith(".") and name.startswith(setting.name)):
            return setting
    return None


class Settings:
    """Values of settings, in one file of the user's.

    A value that makes no sense is left out and said; it counts as not remembered.

    Attributes
    ----------
    path : Path
    changed : Signal
        Emitted with the name of a setting that has another value, also from another window.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or platformdirs.user_config_path("spotlab") / "settings.json"
        self.changed = Signal[[str]]()
        self._said: list[tuple[str, bool]] = []
        self._say: Callable[[str, bool], object] = lambda *said: self._said.append(said)
        with suppress(background.NoAnswer):
            background.call(clear_stale, [self.path])
        file = SharedFile(self.path, SettingsForm(), makes_folder=True)
        self._file = KeptFile(file, self._pass_on, waits=0)
        self._file.open()
        self._before = self._file.value
        self._file.changed.connect(self._tell_changes)

    def tell(self, say: Callable[[str, bool], object]) -> None:
        """Say from now on what is wrong with the file, and what has been wrong so far."""
        said, self._said, self._say = self._said, [], say
        for text, is_serious in said:
            say(text, is_serious)

    def get(self, setting: KnownSetting[Value]) -> Value:
        """Return the value of a setting; its default where none that makes sense is remembered."""
        value = self._file.value.get(setting.name, MISSING)
        if value is MISSING:
            return setting.default
        try:
            found: Value = msgspec.convert(value, setting.kind)
        except (msgspec.ValidationError, ValueError, TypeError):
            return setting.default  # a plug-in's: others are checked when they are read
        return found

    def set(self, setting: KnownSetting[Value], value: Value) -> None:
        """Remember a value; it holds for this run even where the file cannot be written."""
        plain = json.loads(json.dumps(msgspec.to_builtins(value)))  # lists, as they are read
        values = self._file.value
        if setting.name in values and values[setting.name] == plain:
            return
        self._file.set({**values, setting.name: plain})
        self._before = self._file.value
        self.changed.emit(setting.name)

    def flush(self) -> bool:
        """Write everything before this returns; False if it could not be written."""
        return self._file.flush()

    def _pass_on(self, text: str, is_serious: bool) -> None:
        self._say(text, is_serious)

    def _tell_changes(self) -> None:
        before, now = self._before, self._file.value
        self._before = now
        for name in before.keys() | now.keys():
            if before.get(name) != now.get(name):
                self.changed.emit(name)


class SettingsForm:
    """Serialisation of settings in their file; see `SharedFile`."""

    def empty(self) -> Mapping[str, Any]:
        """Return what is remembered where there is no file."""
        return {}

    def read(self, content: bytes, path: Path) -> Read[Mapping[str, Any]]:
        """Read all that makes sense; values that only plug-ins know are taken as they are."""
        values, problems = parse_object(content, file_names=True)
        for name, value in tuple(values.items()):
            setting = known_setting(name)
            if setting is not None:
                fitted, wrong = fit(value, setting.kind, name)
                problems += wrong
                values[name] = fitted
                if fitted is MISSING:
                    del values[name]
        return Read(values, tuple(f"{path}: {each}; it is left out" for each in problems))

    def merge(
        self, base: Mapping[str, Any], mine: Mapping[str, Any], theirs: Mapping[str, Any]
    ) -> Merged[Mapping[str, Any]]:
        """Merge settings by name, and what is in them by key."""
        merged, conflicts = merge_mappings(base, mine, theirs)
        for setting in KNOWN:
            if setting.unites and setting.name in mine and setting.name in theirs:
                sides = (side.get(setting.name, []) for side in (base, mine, theirs))
                merged[setting.name] = merge_lists(*sides)
        remarks = []
        for conflict in conflicts:
            known = known_setting(str(conflict.keys[0]))
            if known is not None and known.title:
                what = " ".join((known.title, *map(str, conflict.keys[1:2])))
                remarks.append(f"Another window has changed {what}, too: yours is kept")
        return Merged(merged, tuple(remarks))

    def write(self, value: Mapping[str, Any], content: bytes, old: Mapping[str, Any]) -> bytes:
        """Return the file's new content."""
        return json.dumps(value, indent=1, allow_nan=False).encode()
