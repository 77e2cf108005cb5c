"""The desktop program: window, workspaces, canvas, pages and kit."""

import os

# Set before anything imports pyqtgraph, which would otherwise take whatever Qt it finds.
os.environ["PYQTGRAPH_QT_LIB"] = "PySide6"

from spotlab.gui.kit.text import install as _hand_plain_texts_to_qt

_hand_plain_texts_to_qt()
