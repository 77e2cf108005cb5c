"""``--jobs`` is the number of cores that a command uses, in processes and threads together."""

from __future__ import annotations

import os
import subprocess
import sys

import click
import cv2
import pytest
from click.testing import CliRunner

from spotlab.cli.options import jobs_option
from spotlab.compute.executors import cores


@click.command
@jobs_option
def count(jobs: int) -> None:
    click.echo(f"{jobs} {cores()}")


@pytest.mark.parametrize(
    ("given", "said"),
    [([], f"0 {cores()}"), (["--jobs", "0"], f"0 {cores()}"), (["--jobs", "3"], "3 3")],
)
def test_a_command_uses_as_many_cores_as_it_is_told_and_only_while_it_runs(
    given: list[str], said: str
) -> None:
    before = cores()
    assert CliRunner().invoke(count, given).output.strip() == said
    assert cores() == before


def test_a_negative_number_is_refused() -> None:
    done = CliRunner().invoke(count, ["--jobs", "-1"])
    assert done.exit_code == 2 and "--jobs" in done.output


@pytest.mark.slow
def test_what_a_user_set_for_opencv_stays_unless_a_command_is_told_a_number() -> None:
    """In processes of their own, where OpenCV is not loaded before the command."""
    code = (
        "import sys; from tests.cli.test_jobs import count\n"
        "count(sys.argv[1:], standalone_mode=False)\n"
        "import cv2; print(cv2.getNumThreads())"
    )
    environment = {**os.environ, "OPENCV_FOR_THREADS_NUM": "7"}
    for given, threads in (([], "7"), (["--jobs", "0"], "7")):
        done = subprocess.run(
            [sys.executable, "-c", code, *given],
            env=environment, capture_output=True, text=True, check=True,
        )  # fmt: skip
        assert done.stdout.split()[-1] == threads


def test_opencv_has_as_many_threads_as_a_command_has_cores() -> None:
    before = cv2.getNumThreads()
    seen = []

    @click.command
    @jobs_option
    def look(jobs: int) -> None:
        seen.append((jobs, cv2.getNumThreads()))

    CliRunner().invoke(look, ["--jobs", "1"])
    assert seen == [(1, 1)] and cv2.getNumThreads() == before
