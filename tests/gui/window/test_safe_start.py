"""What ended the last start while it was opened is not opened again unasked."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from spotlab.gui.kit import background
from spotlab.gui.window.session import MARK
from tests.gui.windows import close, open_window, settle


def test_what_ended_a_start_stays_closed_until_asked_for(tmp_path: Path, qtbot: object) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    Image.new("L", (30, 20), 255).save(pages / "page.png")
    window = open_window(tmp_path, pages)
    settle()
    mark = window.session.path.with_name(MARK)
    assert window.close()
    close(window)
    assert window.session.path.exists() and not mark.exists()

    mark.touch()  # as a start leaves it that is killed while it opens the pages
    window = open_window(tmp_path)
    said: list[str] = []
    window.workbench.said.connect(lambda text, *_: said.append(text))
    window.session.reopen()
    settle()
    assert window.session.opened == () and any("stay closed" in text for text in said)
    close(window)
    assert mark.exists(), "the next start would not try either"

    window = open_window(tmp_path)
    window.open_paths([pages])  # asked for
    window.session._mark.wait(10)  # ms, instead of seconds
    settle()
    assert window.session.opened == (pages,)
    assert background.wait_until(lambda: not mark.exists())
    close(window)

    window = open_window(tmp_path)
    window.session.reopen()
    settle()
    assert window.session.opened == (pages,) and mark.exists()
    close(window)
    assert not mark.exists()
