"""What the program remembers of its user from one start to the next."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import platformdirs

from spotlab.errors import NotSaved, SpotlabError
from spotlab.formats.rows.atomic import clear_stale, write_atomically
from spotlab.formats.rows.json_values import is_shallow, load_object
from spotlab.signal import Signal


class Settings:
    """JSON values by name, in one file of the user's; a file that makes no sense counts as empty.

    ``changed`` is emitted with the name.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or platformdirs.user_config_path("spotlab") / "settings.json"
        self.changed = Signal[[str]]()
        self._values: dict[str, Any] = {}
        clear_stale([self.path])
        with suppress(SpotlabError):
            values = load_object(self.path, "settings")
            self._values = {name: each for name, each in values.items() if is_shallow(each)}

    def get(self, name: str, default: Any = None) -> Any:
        """The value, or the default where there is none or it is of another kind."""
        value = self._values.get(name, default)
        if default is not None and not isinstance(value, type(default)):
            both = (int, float)
            return value if isinstance(value, both) and isinstance(default, both) else default
        return value

    def set(self, name: str, value: Any) -> None:
        """Remember the value; it holds for this run even where the file cannot be written."""
        if self._values.get(name) == value and name in self._values:
            return
        self._values[name] = value
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(self.path, json.dumps(self._values, indent=1).encode())
        except (OSError, NotSaved):
            pass
        self.changed.emit(name)
