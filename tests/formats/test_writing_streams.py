"""Results go into pipes, devices and open streams as they come; those stay what they are."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from spotlab.errors import NotSaved
from spotlab.formats.collection.label_file import write_labels
from spotlab.formats.rows.files import write_atomically
from spotlab.model import LabelSet
from tests.judging_files import command, write_small


def test_a_named_pipe_takes_the_content_and_stays(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    taken: list[bytes] = []
    reader = threading.Thread(target=lambda: taken.append(pipe.read_bytes()))
    reader.start()
    write_atomically(pipe, b"x" * 200_000)
    reader.join(30)
    assert taken == [b"x" * 200_000]
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert os.listdir(tmp_path) == ["pipe"]


def test_a_full_device_is_told(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("/dev/full")
    with pytest.raises(NotSaved, match="link was not written completely: the disk is full"):
        write_atomically(tmp_path / "link", b"x")
    write_atomically(Path("/dev/null"), b"x")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


@pytest.mark.slow
def test_standard_output_is_a_file_like_another(tmp_path: Path) -> None:
    labels = tmp_path / "labels"
    labels.mkdir()
    write_labels(labels, LabelSet())
    program = [sys.executable, "-m", "spotlab"]
    out = tmp_path / "out"
    for name in ("/dev/stdout", "/dev/fd/1"):
        made = [*program, "synthesise", "votes", "--out", name, "--seed", "1"]
        piped = subprocess.run(made, capture_output=True, check=True, timeout=120)
        assert piped.stdout.startswith(b"item,")
        with out.open("wb") as file:
            file.write(b"before\n")
            file.flush()
            subprocess.run(made, stdout=file, check=True, timeout=120)
        content = out.read_bytes()
        assert content.startswith(b"before\nitem,")
        assert piped.stdout.splitlines()[:5] == content.splitlines()[1:6]


def test_json_goes_into_a_stream_of_a_folder_that_is_read_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    truth, run = write_small(tmp_path)
    allowed = os.access
    monkeypatch.setattr(  # as /dev is to all but root
        os, "access", lambda path, mode: mode != os.W_OK and allowed(path, mode)
    )
    given = ("evaluate", "--truth", truth, "--run", run, "--draws", 0)
    assert command(*given, "--json", "/dev/stdout") == 0
    assert '"runs": [' in capfd.readouterr().out
    assert command(*given, "--json", "/dev/null") == 0
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)
    assert command(*given, "--json", tmp_path / "a.json") == 2
