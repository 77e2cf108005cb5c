"""Prints what Qt says of itself on this display as one line of JSON; `spotlab doctor` runs it."""

from __future__ import annotations

import json
import sys

from PySide6.QtCore import qVersion
from PySide6.QtGui import QFontDatabase, QGuiApplication, QOffscreenSurface, QOpenGLContext
from PySide6.QtWidgets import QApplication

GL_VERSION = 0x1F02


def probe() -> dict[str, object]:
    """Start Qt and describe its platform, style, screens, fonts and OpenGL."""
    running = QApplication.instance()
    app = running if isinstance(running, QApplication) else QApplication(sys.argv[:1])
    fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    return {
        "qt": qVersion(),
        "platform": QGuiApplication.platformName(),
        "style": app.style().objectName(),
        "screens": [
            {
                "name": screen.name(),
                "width": screen.size().width(),
                "height": screen.size().height(),
                "ratio": screen.devicePixelRatio(),
            }
            for screen in app.screens()
        ],
        "fonts": len(QFontDatabase.families()),
        "font": app.font().family(),
        "fixed_font": fixed.family(),
        "opengl": _opengl(),
    }


def _opengl() -> str:
    """The version that the driver names; "" where there is none."""
    context = QOpenGLContext()
    surface = QOffscreenSurface()
    surface.create()
    if not context.create() or not context.makeCurrent(surface):
        return ""
    name = context.functions().glGetString(GL_VERSION)
    context.doneCurrent()
    return str(name or "")


if __name__ == "__main__":
    print(json.dumps(probe()))
