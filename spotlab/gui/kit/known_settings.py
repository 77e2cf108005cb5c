"""All settings of the window: their names in the file, their types, and their defaults.

A plug-in declares its own `Setting` in the same way; its value is checked when it is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, Generic, Literal, TypeVar

from msgspec import Meta, Struct

from spotlab.formats.collection.label_file import RoomChoices
from spotlab.imaging.ink import InkSettings
from spotlab.model import Primitive

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
    >>> Setting("window.state.", Text, "").of("words").name
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
    """The second annotator's folder, that of what is decided, and from which IoU regions match."""

    theirs: FileName | None = None
    decided: FileName | None = None
    limits: tuple[Share, Share] | None = None


AUTHOR = KnownSetting("author", Text, "", title="the name of the annotator")
STARTED = KnownSetting("started", bool, False)
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
