"""Only regular files are read, files are written whole, and nothing is left lying about."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from spotlab.editing.validate import validate_files
from spotlab.errors import BadInput, NotSaved
from spotlab.files import open_file, read_file
from spotlab.formats.collection.detect import format_of
from spotlab.formats.collection.folder import scan
from spotlab.formats.collection.label_file import read_labels
from spotlab.formats.lists.kept_lines import read_judgements
from spotlab.formats.lists.reading import list_format_of
from spotlab.formats.rows import files
from spotlab.formats.rows.files import clear_stale, write_atomically
from spotlab.formats.runs import read_run
from spotlab.formats.truth.page_xml import read
from spotlab.formats.votes.texts import read_page_text
from spotlab.imaging.reading.pixels import read_header, read_page
from tests.gui import windows

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


def pipe(path: Path) -> None:
    os.mkfifo(path)


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def listening(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))


def looping(path: Path) -> None:
    path.symlink_to(path.name)


ODD = {
    "a pipe": pipe,
    "a device": device,
    "a socket": listening,
    "Too many levels": looping,
    "it is a folder": Path.mkdir,
}


@pytest.mark.parametrize("said", ODD)
def test_what_is_no_regular_file_is_not_opened(tmp_path: Path, said: str) -> None:
    path = tmp_path / "x"
    ODD[said](path)
    with pytest.raises(OSError, match=said):
        open_file(path)
    with pytest.raises(OSError, match=said):
        read_file(path)


def test_a_link_to_a_file_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "there").write_bytes(b"content")
    (tmp_path / "link").symlink_to("there")
    assert read_file(tmp_path / "link") == b"content"


def readers() -> dict[str, Callable[[Path], object]]:
    return {
        "plan.xml": read,
        "truth.json": format_of,
        "spotlab.json": lambda path: read_labels(path.parent),
        "judgements.csv": read_judgements,
        "lists.csv": list_format_of,
        "run.csv": read_run,
        "text.txt": read_page_text,
        "plan.png": read_header,
        "plan.tif": read_page,
        "plan.pdf": read_header,
        "gone.png": lambda path: validate_files([path]),
    }


@pytest.mark.parametrize("name", readers())
def test_no_reader_waits_at_a_pipe(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    os.mkfifo(path)
    read = readers()[name]
    signal.alarm(20)  # ends the tests where one waits for ever
    try:
        read(path)
    except BadInput as error:
        assert "it is a pipe, not a file" in str(error)
    else:
        assert name == "gone.png", "validating goes on with the other pages"
    finally:
        signal.alarm(0)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_permissions_are_the_old_ones_or_those_the_umask_gives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = os.umask(0o027)
    with monkeypatch.context() as patched:
        patched.setattr(os, "umask", lambda _: pytest.fail("another thread's files would get it"))
        write_atomically(tmp_path / "new", b"1")
    os.umask(before)
    assert mode(tmp_path / "new") == 0o640
    for given in (0o600, 0o664, 0o644):
        (tmp_path / "new").chmod(given)
        write_atomically(tmp_path / "new", b"2")
        assert mode(tmp_path / "new") == given
    assert os.listdir(tmp_path) == ["new"]


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="needs extended attributes")
def test_owner_and_extended_attributes_are_the_old_ones(tmp_path: Path) -> None:
    path = tmp_path / "plan.xml"
    path.write_bytes(b"1")
    try:
        os.setxattr(path, "user.origin", b"scanner 3")
    except OSError:
        pytest.skip("the file system has no extended attributes")
    if os.geteuid() == 0:
        os.chown(path, 12345, 23456)
    path.chmod(0o640)
    before = path.stat()
    write_atomically(path, b"2")
    after = path.stat()
    assert os.getxattr(path, "user.origin") == b"scanner 3"
    assert (after.st_uid, after.st_gid) == (before.st_uid, before.st_gid)
    assert mode(path) == 0o640


def test_a_check_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "plan.xml"
    path.write_bytes(b"1")

    def check() -> None:
        [new] = [each for each in tmp_path.iterdir() if each != path]
        assert new.read_bytes() == b"2", "the new file is complete when the old one is looked at"
        raise NotSaved("plan.xml was changed")

    with pytest.raises(NotSaved, match=r"plan\.xml was changed"):
        write_atomically(path, b"2", check)
    assert path.read_bytes() == b"1"
    assert os.listdir(tmp_path) == ["plan.xml"]


@pytest.mark.parametrize("name", ["x" * 255, "ü" * 127, os.fsdecode(b"caf\xe9.xml")])
def test_any_name_that_a_file_may_have_can_be_written(tmp_path: Path, name: str) -> None:
    for content in (b"1", b"2"):
        write_atomically(tmp_path / name, content)
        assert read_file(tmp_path / name) == content
    assert os.listdir(tmp_path) == [name]


@needs_fork
@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_what_a_kill_leaves_is_cleared_once_nobody_writes_it(tmp_path: Path, call: str) -> None:
    path = tmp_path / "plan.xml"
    others = [".plan.xml.notes", ".other.xml.0123abcd.tmp", ".plan.xml.tmp", "plan.xml.tmp"]
    for name in others:
        (tmp_path / name).touch()
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:

        def stop(*_: object) -> None:
            os.write(writer, b".")
            signal.pause()

        setattr(files.os, call, stop)
        write_atomically(path, b"content")
        os._exit(1)
    os.read(reader, 1)
    assert clear_stale([path]) == 0, "it is being written"
    assert len(os.listdir(tmp_path)) == 5
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(reader)
    os.close(writer)
    assert clear_stale([path, tmp_path / "gone" / "plan.xml"]) == 1
    assert sorted(os.listdir(tmp_path)) == sorted(others)


def test_folders_with_odd_links_are_listed(tmp_path: Path) -> None:
    folder = windows.write_pages(tmp_path / "plans", 1)
    (folder / "loop.png").symlink_to("loop.png")
    (folder / "self").symlink_to(folder)
    (folder / "gone.png").symlink_to("nowhere")
    os.mkfifo(folder / "fifo.png")
    os.mkfifo(folder / "page_1.xml")
    (folder / "zero.png").symlink_to("/dev/zero")
    names = [entry.image.name for entry in scan([folder])]
    assert names == ["fifo.png", "gone.png", "loop.png", "page_1.png", "zero.png"]
    shutil.rmtree(folder)
