"""The size of a PDF page is known without anything on the page being looked at."""

import resource
import subprocess
import sys
from pathlib import Path

import pytest

from spotlab.errors import BadInput
from spotlab.imaging.reading import decoding
from spotlab.imaging.reading.pixels import read_header, read_page
from tests.imaging.hostile_files import many_pages, nested_forms, pdf_page, stream


@pytest.mark.slow
def test_ten_million_nested_forms_do_not_keep_a_folder_from_being_checked(tmp_path: Path) -> None:
    (tmp_path / "plan.pdf").write_bytes(nested_forms())
    limit = 3_000_000_000, 3_000_000_000  # bytes; drawing the page would take 15 GB

    done = subprocess.run(
        [sys.executable, "-m", "spotlab", "validate", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, limit),
    )

    assert done.returncode == 0, done.stderr
    assert "0 errors" in done.stdout


@pytest.mark.parametrize("box", [b"", b"/CropBox[10 10 50 90]"])
@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_the_size_is_that_of_the_drawn_page(tmp_path: Path, box: bytes, turn: int) -> None:
    path = tmp_path / "plan.pdf"
    content = pdf_page(stream(b"", b"0 0 9 9 re f"))
    path.write_bytes(content.replace(b"/MediaBox", b"/Rotate %d%s/MediaBox" % (turn, box)))

    header = read_header(path)

    assert (header.height, header.width) == read_page(path).shape
    assert (header.width > header.height) == (bool(box) == (turn in {90, 270}))


def test_a_file_of_very_many_pages_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "book.pdf"
    path.write_bytes(many_pages(decoding.MAXIMUM_PAGES + 1))

    with pytest.raises(
        BadInput, match=r"book\.pdf: it has 100,001 pages; expected at most 100,000"
    ):
        read_header(path)
