"""The plots of the Inspect workspace; what they show is computed without Qt."""

import os

# before anything imports pyqtgraph: else it takes whatever Qt it finds, and hides why none works
os.environ["PYQTGRAPH_QT_LIB"] = "PySide6"
