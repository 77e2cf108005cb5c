"""Stands for minutes of learning, in the process that adapts a network: no Qt is imported here."""

from __future__ import annotations

import shutil
import time
from pathlib import Path
from typing import Any

from spotlab.errors import SpotlabError
from spotlab.learning.words.hand.adapting import AdaptedNetwork, HandFigures
from spotlab.learning.words.network import with_properties
from spotlab.progress import Progress
from spotlab.spotting.words.feature_space import (
    Adaptation,
    adapted_file,
    metadata_of_adaptation,
    write_adapted,
)
from spotlab.studies.words.adapting import AdaptedHand

NETWORK = Path(__file__).parents[3] / "resources/models/words.onnx"
TOLD = Adaptation("2026-11-23", 321, 12, 9, {"typed": 0.8}, {"typed": 0.9})


def adapt_at_once(*, entries: Any, known: Any, progress: Progress, **_: Any) -> AdaptedHand:
    """Keep the network as it is, with figures."""
    progress(1, 2, "learning this hand")
    content = with_properties(NETWORK.read_bytes(), metadata_of_adaptation(TOLD))
    file = adapted_file(entries)
    assert file is not None
    write_adapted(file, content)
    network = AdaptedNetwork(content, True, 321, len(known), 9, HandFigures(), HandFigures())
    return AdaptedHand(file, True, network, TOLD, 400)


def adapt_for_ever(*, entries: Any, progress: Progress, **_: Any) -> AdaptedHand:
    """Learn, and never come to an end."""
    folder = entries[0].image.parent
    (folder / "learning").touch()
    while True:
        progress(1, 2, "learning this hand")
        time.sleep(0.02)


def fail(**_: Any) -> AdaptedHand:
    """There is something wrong."""
    raise SpotlabError("only 3 words can be read surely")


def copied_page(folder: Path, page: Path) -> Path:
    """A collection of one page."""
    folder.mkdir(parents=True)
    shutil.copy(page, folder)
    return folder
