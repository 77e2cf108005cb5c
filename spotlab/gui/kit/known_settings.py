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
class Setting(Generic[Value]):
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

    def of(self, name: str) -> Setting[Value]:
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


class Comparison(Struct, frozen=True):
    """The second annotator's folder, that of what is decided, and from which IoU regions match."""

    theirs: FileName | None = None
    decided: FileName | None = None
    limits: tuple[Share, Share] | None = None


AUTHOR = Setting("author", Text, "", title="the name of the annotator")
STARTED = Setting("started", bool, False)
REOPEN = Setting("reopen", bool, True)
THEME = Setting("theme", Literal["system", "light", "dark"], "system")
PAPER = Setting("paper", Literal["plain", "dimmed", "inverted"], "plain")
KEYS: Setting[Mapping[str, list[str]]] = Setting(
    "keys", dict[Text, list[Text]], {}, title="the keys of"
)
GEOMETRY = Setting("window.geometry", Text, "")
PANELS = Setting("window.state.", Text, "")
FOLDED: Setting[Mapping[str, list[str]]] = Setting("window.folded.", dict[str, list[Text]], {})
CENTRE = Setting("window.centre.", Share, 0.62)
MINIMAP = Setting("minimap", bool, True)
FIRST_STEPS = Setting("first_steps", bool, True)  # whether they are still offered
CAPTIONS = Setting("captions", bool, True)
TOOL_NAMES = Setting("tool_names", bool, True)
RECENT: Setting[list[str]] = Setting("recent", list[FileName], [], unites=True)
LAST_PAGES: Setting[Mapping[str, tuple[str, int]]] = Setting(
    "last_pages", dict[str, tuple[FileName, int]], {}
)
OPEN_WITH: Setting[Mapping[str, Mapping[str, Any]]] = Setting(
    "open_with", dict[str, dict[str, Any]], {}
)
EXPORT = Setting("export", ExportChoices, ExportChoices())
INK = Setting("ink", InkSettings, InkSettings())
INK_SHARE = Setting("share", Annotated[float, Meta(ge=0, lt=1)], 0.5)
PRIMITIVE = Setting("primitive", Primitive, Primitive.HULL)
ROOMS = Setting("rooms", RoomChoices, RoomChoices())
COMPARISONS: Setting[Mapping[str, Comparison]] = Setting(
    "second_annotators", dict[str, Comparison], {}
)
RUN_STYLES: Setting[Mapping[str, int]] = Setting("styles of runs", dict[str, int], {})
ANNOTATION_FILES: Setting[Mapping[str, str]] = Setting(
    "annotation files of runs", dict[str, FileName], {}
)
SPOTTERS: Setting[Mapping[str, SpotterCommand]] = Setting(
    "spotters", dict[Text, SpotterCommand], {}, title="the spotter"
)
LAST_SPOTTER = Setting("last spotter", Text, "")
READS_CHANGED_RUNS = Setting("runs.read_changed", bool, True)
OPACITY = Setting("inspect.opacity", Share, 0.8)
OVERLAY = Setting("inspect.overlay", Literal["areas", "symbols", "both"], "areas")
LEGEND_FOLDED: Setting[bool | None] = Setting("inspect.legend_folded", bool | None, None)
CURVES_BY = Setting("curves.by", Literal["recall", "threshold"], "recall")
CURVES_QUERIES = Setting("curves.queries", bool, True)
CURVES_BAND = Setting("curves.band", bool, True)
CURVES_BANDS_OF_MANY = Setting("curves.bands_of_many", bool, False)
LARGE_CURVE = Setting("curves.large", Text, "")
CUT_FIGURES: Setting[list[str]] = Setting("curves.figures", list[str], [])
FIGURE_COLUMNS: Setting[list[str]] = Setting("figures.columns", list[str], [])
SYSTEM_COLUMNS: Setting[list[str]] = Setting("systems.columns", list[str], [])
PICTURE_HEIGHT = Setting("words.picture_height", Annotated[int, Meta(ge=1, le=1000)], 40)
WORDS_LEVEL = Setting("words.level", bool, False)
WORDS_ALL_MOVES = Setting("words.all_moves", bool, False)
WORDS_FOLLOW_CUT = Setting("words.follow_cut", bool, True)

KNOWN: tuple[Setting[Any], ...] = tuple(
    value for value in tuple(globals().values()) if isinstance(value, Setting)
)


def known_setting(name: str) -> Setting[Any] | None:
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
