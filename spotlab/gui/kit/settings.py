"""What the program remembers of its user from one start to the next, in all its windows."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import platformdirs

from spotlab.formats.rows.files import clear_stale
from spotlab.formats.shared.checked_json import MISSING, fit, parse_object
from spotlab.formats.shared.merging import Merged, merge_lists, merge_mappings
from spotlab.formats.shared.shared_file import Read, SharedFile
from spotlab.gui.kit import background
from spotlab.gui.kit.kept_file import KeptFile
from spotlab.gui.kit.known_settings import KNOWN, KnownSetting, known_setting
from spotlab.signal import Signal

Value = TypeVar("Value")


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
    """How settings stand in their file; see `SharedFile`."""

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
