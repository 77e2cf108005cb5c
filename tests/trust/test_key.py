"""The key that tells a user's own state from a stranger's."""

from __future__ import annotations

import hmac
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from spotlab.trust import is_own, sign

OTHER_PROCESS = "import sys; from spotlab.trust import sign; print(sign('a', b'content'))"


def signature_elsewhere(**environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", OTHER_PROCESS],
        env={**os.environ, **environment},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


@pytest.fixture
def key_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state" / "spotlab" / "key"


def test_only_the_same_content_for_the_same_purpose_has_the_signature(key_file: Path) -> None:
    signature = sign("a", b"content")
    assert is_own("a", b"content", signature)
    assert not is_own("a", b"content ", signature)
    assert not is_own("b", b"content", signature)
    assert sign("ab", b"c") != sign("a", b"bc")


@pytest.mark.parametrize("signature", [None, 3, [], {}, "", "ä", "\ud800", "0" * 64, b"0"])
def test_nothing_else_is_a_signature(key_file: Path, signature: object) -> None:
    assert not is_own("a", b"content", signature)


def test_other_processes_of_the_user_have_the_same_key(key_file: Path) -> None:
    assert is_own("a", b"content", signature_elsewhere())
    assert stat.S_IMODE(key_file.stat().st_mode) == 0o600
    assert os.listdir(key_file.parent) == ["key"]


def test_processes_that_begin_at_once_agree_on_one_key(key_file: Path) -> None:
    started = [
        subprocess.Popen(
            [sys.executable, "-c", OTHER_PROCESS],
            cwd=Path(__file__).parents[2],
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(6)
    ]
    assert len({process.communicate(timeout=300)[0] for process in started}) == 1


def test_another_user_has_another_key(key_file: Path, tmp_path: Path) -> None:
    assert not is_own("a", b"content", signature_elsewhere(XDG_STATE_HOME=str(tmp_path / "other")))


@pytest.mark.parametrize("content", [b"", b"x" * 31, b"x" * 33])
def test_a_damaged_key_is_made_anew(key_file: Path, content: bytes) -> None:
    key_file.parent.mkdir(parents=True)
    key_file.write_bytes(content)
    key_file.chmod(0o600)
    assert is_own("a", b"content", signature_elsewhere())
    assert len(key_file.read_bytes()) == 32


def test_a_key_that_others_could_read_is_made_anew(key_file: Path) -> None:
    key_file.parent.mkdir(parents=True)
    key_file.write_bytes(b"k" * 32)
    key_file.chmod(0o644)
    assert is_own("a", b"content", signature_elsewhere())
    assert key_file.read_bytes() != b"k" * 32
    assert stat.S_IMODE(key_file.stat().st_mode) == 0o600


def test_without_a_state_folder_the_key_is_that_of_the_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "/proc/nowhere")
    assert is_own("a", b"content", sign("a", b"content"))
    assert not is_own("a", b"content", signature_elsewhere())


def test_a_state_folder_beside_the_data_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", "state")
    planted = tmp_path / "state" / "spotlab" / "key"
    planted.parent.mkdir(parents=True)
    planted.write_bytes(b"k" * 32)
    planted.chmod(0o600)
    message = (1).to_bytes(4, "big") + b"acontent"
    assert sign("a", b"content") != hmac.digest(b"k" * 32, message, "sha256").hex()
