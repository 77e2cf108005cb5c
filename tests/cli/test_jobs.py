"""``--jobs`` is the number of cores that a command uses, in processes and threads together."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner

from spotlab.cli.job_options import jobs_option
from spotlab.compute.cores import cores


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
