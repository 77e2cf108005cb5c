"""Writing many files into a folder as one step: all are new, or all are as they were.

While that is under way a hidden folder beside them has the list of the files and what stood in
their place. After a kill it is still there and tells that the folder is half-written.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from spotlab.errors import BadInput, NotSaved, reason
from spotlab.files import is_folder, is_missing
from spotlab.formats.rows.json_values import load_json
from spotlab.trust import own_file

NAME = ".spotlab-writing"
_LIST = "files.json"


def unfinished(folder: Path) -> int | None:
    """Tell how many files an earlier step was to write that did not end.

    None where there was none.
    """
    if not is_folder(folder / NAME):
        return None
    with suppress(BadInput):
        names = load_json(folder / NAME / _LIST, "a list")
        return len(names) if isinstance(names, list) else 0
    return 0


class Replacing:
    """One step on files of a folder, which is there.

    Parameters
    ----------
    folder : Path
    files : sequence of Path
        In it, that will be written.

    Raises
    ------
    NotSaved
        The folder cannot be written.
    BadInput
        There is a link that leads out of the folder in place of the hidden one.
    """

    def __init__(self, folder: Path, files: Sequence[Path]) -> None:
        self._state = folder / NAME
        self._files = files
        try:
            own_file(self._state).mkdir(exist_ok=True)
            names = [os.path.relpath(file, folder) for file in files]
            # `write_atomically` would fail where names cannot be encoded
            (self._state / _LIST).write_text(json.dumps(names), "utf-8")
            for number, file in enumerate(files):
                old = self._old(number)
                if not is_missing(file) and is_missing(old):  # else an earlier step has kept it
                    shutil.copy2(file, old)
        except OSError as error:
            raise NotSaved(f"{folder} cannot be written: {reason(error)}") from error

    def finish(self) -> None:
        """All files are written."""
        shutil.rmtree(self._state, ignore_errors=True)

    def take_back(self) -> None:
        """Put back what was there before, and delete what was not.

        Where that fails, what was there stays in its place beside the files.
        """
        failed = False
        for number, file in enumerate(self._files):
            try:
                if is_missing(self._old(number)):
                    file.unlink(missing_ok=True)
                else:
                    os.replace(self._old(number), file)
            except (OSError, BadInput):
                failed = True
        if not failed:
            self.finish()

    def _old(self, number: int) -> Path:
        return self._state / f"{number}.old"
