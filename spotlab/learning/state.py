"""The state of a run of training, kept so that it can be continued."""

from __future__ import annotations

import io
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from spotlab.errors import BadInput
from spotlab.files import is_missing, name_with, read_file
from spotlab.formats.rows.files import write_atomically

if TYPE_CHECKING:
    from spotlab.learning.updates import Updates


@dataclass(frozen=True, eq=False)
class State:
    """How far a run is.

    Attributes
    ----------
    digest : str
        Of what the run depends on.
    steps : int
    minutes : float
    updates : Updates
    average : dict of str to array
        Averaged weights.
    """

    digest: str
    steps: int
    minutes: float
    updates: Updates
    average: dict[str, NDArray[np.float32]]


def state_file(out: Path) -> Path:
    """The file beside a network that has the state of its training.

    Examples
    --------
    >>> state_file(Path("own.onnx")).name
    'own.onnx.training'
    """
    return out.with_name(name_with(out.name, ".training"))


def write_state(file: Path, state: State) -> None:
    """Write a state.

    Parameters
    ----------
    file : Path
    state : State
    """
    arrays: dict[str, NDArray[np.generic]] = {
        "digest": np.array(state.digest),
        "steps": np.array(state.steps),
        "minutes": np.array(state.minutes),
    }
    arrays |= {f"average/{name}": value for name, value in state.average.items()}
    arrays |= {f"learner/{name}": value for name, value in state.updates.arrays().items()}
    content = io.BytesIO()
    np.savez(content, **arrays)  # type: ignore[arg-type]  # numpy's names of arrays are any
    write_atomically(file, content.getvalue())


def read_state(file: Path, digest: str, updates: Updates) -> State | None:
    """Read a state, and put the network into it; None if there is none, or of another run.

    Parameters
    ----------
    file : Path
    digest : str
        Of what the run depends on.
    updates : Updates

    Raises
    ------
    BadInput
        It cannot be read.
    """
    if is_missing(file):
        return None
    try:
        with np.load(io.BytesIO(read_file(file)), allow_pickle=False) as arrays:
            if str(arrays["digest"]) != digest:
                return None
            updates.set_arrays(_under("learner/", arrays))
            average = _under("average/", arrays)
            return State(digest, int(arrays["steps"]), float(arrays["minutes"]), updates, average)
    except (OSError, KeyError, ValueError, RuntimeError, zipfile.BadZipFile) as error:
        raise BadInput(file, "it is no state of a training run") from error


def _under(start: str, arrays: np.lib.npyio.NpzFile) -> dict[str, NDArray[np.float32]]:
    return {
        name.removeprefix(start): arrays[name] for name in arrays.files if name.startswith(start)
    }
