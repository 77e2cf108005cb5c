"""The network that was adapted to the hand of a collection, and is kept beside its pages."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from spotlab.errors import NotSaved, counted, reason
from spotlab.files import is_file
from spotlab.formats.collection.folder import PageEntry, common_folder
from spotlab.formats.rows.files import write_atomically
from spotlab.formats.rows.json_values import parse_json
from spotlab.spotting.words.extraction.descriptor import WordDescriptor
from spotlab.spotting.words.extraction.page_words import WordSettings
from spotlab.trust import own_file

NAME = "adapted-words.onnx"
KEY = "adapted"  # of the network's metadata


@dataclass(frozen=True)
class Adaptation:
    """Record of a network's adaptation.

    Attributes
    ----------
    date : str
        YYYY-MM-DD.
    learned : int
        Words it has learned from.
    known : int
        Those of them that were transcribed or judged; the others were read.
    held_out : int
        Transcribed or judged words by which the figures were measured.
    before, after : mapping of str to (float or None)
        Mean average precision of these in [0, 1], by name: "by example" and "typed".
    light : bool
        Whether the last layers only were fitted.
    made_from : str
        Digest of the network as it was before.
    """

    date: str
    learned: int
    known: int
    held_out: int = 0
    before: Mapping[str, float | None] | None = None
    after: Mapping[str, float | None] | None = None
    light: bool = False
    made_from: str = ""

    @property
    def gains(self) -> dict[str, tuple[float, float]]:
        """Figures in [0, 1] before and after, by name, as far as there are any.

        Examples
        --------
        >>> Adaptation("2026-11-23", 500, 0, 9, {"typed": 0.8}, {"typed": 0.9}).gains
        {'typed': (0.8, 0.9)}
        """
        before, after = self.before or {}, self.after or {}
        return {
            name: (then, now)
            for name, now in after.items()
            if now is not None and (then := before.get(name)) is not None
        }

    @property
    def told(self) -> str:
        """Return what it brought, in a line.

        Examples
        --------
        >>> Adaptation("2026-11-23", 500, 0).told
        'adapted on 2026-11-23 from 500 words'
        >>> Adaptation("2026-11-23", 500, 40, 9, {"typed": 0.8}, {"typed": 0.9}).told
        'adapted on 2026-11-23 from 500 words; typed .800 → .900'
        """
        gains = [
            f"{name} {share_text(then)} → {share_text(now)}"
            for name, (then, now) in self.gains.items()
        ]
        return "; ".join([f"adapted on {self.date} from {counted(self.learned, 'word')}", *gains])


def share_text(value: float) -> str:
    """A mean average precision as it is written.

    Parameters
    ----------
    value : float
        In [0, 1].

    Examples
    --------
    >>> share_text(0.8), share_text(1)
    ('.800', '1.000')
    """
    return f"{value:.3f}".removeprefix("0")


def adapted_file(entries: Sequence[PageEntry]) -> Path | None:
    """Tell where the adapted network of pages is, or will be: in the folder that has all of them.

    Parameters
    ----------
    entries : sequence of PageEntry

    Examples
    --------
    >>> adapted_file([]) is None
    True
    """
    folder = common_folder(entries)
    return None if folder is None else folder / NAME


def with_adapted(settings: WordSettings, entries: Sequence[PageEntry]) -> WordSettings:
    """Describe the words of pages by the network that was adapted to them, if there is one.

    Parameters
    ----------
    settings : WordSettings
        Those that name a network, compare by strokes, or do not want it stay as they are.
    entries : sequence of PageEntry

    Examples
    --------
    >>> with_adapted(WordSettings(), []) == WordSettings()
    True
    """
    wanted = settings.adapted and settings.network is None
    if not wanted or settings.descriptor is WordDescriptor.STROKES:
        return settings
    file = adapted_file(entries)
    return replace(settings, network=file) if file is not None and is_file(file) else settings


def write_adapted(file: Path, content: bytes) -> None:
    """Keep an adapted network; where that fails, leave what was there.

    Parameters
    ----------
    file : Path
        As `adapted_file` names it.
    content : bytes

    Raises
    ------
    NotSaved
        The folder is read-only, the disk is full, …
    """
    write_atomically(own_file(file), content)


def remove_adapted(file: Path) -> bool:
    """Describe words by the network as it came again.

    Parameters
    ----------
    file : Path
        As `adapted_file` names it.

    Returns
    -------
    bool
        Whether there was an adapted one.

    Raises
    ------
    NotSaved
        It cannot be removed.
    """
    try:
        file.unlink()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise NotSaved(f"{file} cannot be removed: {reason(error)}") from error
    return True


def adaptation_of(metadata: Mapping[str, str]) -> Adaptation | None:
    """Tell how a network was adapted; None where it was not.

    Parameters
    ----------
    metadata : mapping of str to str
        Of a `WordNetwork`.

    Examples
    --------
    >>> adaptation_of({}) is None
    True
    >>> one = Adaptation("2026-11-23", 500, 40)
    >>> adaptation_of(metadata_of_adaptation(one)) == one
    True
    """
    with suppress(ValueError, TypeError):
        said = parse_json(metadata.get(KEY, ""))
        return Adaptation(**said)
    return None


def metadata_of_adaptation(adaptation: Adaptation) -> dict[str, str]:
    """Metadata that say how a network was adapted.

    Parameters
    ----------
    adaptation : Adaptation
    """
    return {KEY: json.dumps(asdict(adaptation))}
