"""The framework for learning, which is an extra of spotlab, imported where it is used first."""

from __future__ import annotations

import importlib.util
from typing import Any

from spotlab.errors import SpotlabError
from spotlab.libraries import LateModule

INSTALL = "pip install spotlab[learn]"

torch: Any = LateModule("torch")
nn: Any = LateModule("torch.nn")
functional: Any = LateModule("torch.nn.functional")


def is_installed() -> bool:
    """Whether networks can be trained here."""
    return all(importlib.util.find_spec(name) is not None for name in ("torch", "onnx"))


def need_framework() -> None:
    """Make sure that networks can be trained.

    Raises
    ------
    SpotlabError
        They cannot.
    """
    if not is_installed():
        raise SpotlabError(f"training needs PyTorch, which is not installed: {INSTALL}")
