"""The desktop program: window, workspaces, canvas, pages and kit."""

import os

# Set before anything imports pyqtgraph, which would otherwise take whatever Qt it finds.
os.environ["PYQTGRAPH_QT_LIB"] = "PySide6"
