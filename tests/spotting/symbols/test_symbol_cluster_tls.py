"""A cluster with TLS is used by Dask's own settings, and by nobody without its certificates."""

from __future__ import annotations

import logging
import shutil
import subprocess
from collections.abc import Iterator

import pytest
from click.testing import CliRunner

from spotlab import compute
from spotlab.cli.root import _root
from spotlab.compute import executors
from spotlab.errors import SpotlabError
from spotlab.progress import silent

distributed = pytest.importorskip("distributed")
dask_config = pytest.importorskip("dask.config")


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """A certificate that vouches for itself, and its key."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not here")
    folder = tmp_path_factory.mktemp("tls")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
         "-subj", "/CN=spotlab", "-keyout", "key.pem", "-out", "cert.pem"],
        cwd=folder, check=True, capture_output=True,
    )  # fmt: skip
    return str(folder / "cert.pem"), str(folder / "key.pem")


@pytest.fixture(scope="module")
def scheduler(certificate: tuple[str, str]) -> Iterator[str]:
    """The address of one that talks to nobody without the certificate."""
    cert, key = certificate
    names = [f"tls_{who}_{what}" for who in ("scheduler", "worker", "client")
             for what in ("cert", "key")]  # fmt: skip
    files = {name: cert if name.endswith("cert") else key for name in names}
    security = distributed.Security(tls_ca_file=cert, require_encryption=True, **files)
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None,
        protocol="tls://", security=security, silence_logs=logging.CRITICAL,
    ) as running:  # fmt: skip
        assert running.scheduler_address.startswith("tls://")
        yield running.scheduler_address


def test_the_settings_of_dask_are_used(scheduler: str, certificate: tuple[str, str]) -> None:
    cert, key = certificate
    tls = "distributed.comm.tls"
    own = {f"{tls}.ca-file": cert, f"{tls}.client.cert": cert, f"{tls}.client.key": key}
    with dask_config.set(own):
        works = compute.each_done(abs, [-1, -2, -3], 1, scheduler, silent, "measuring")
        assert sorted(works) == [(0, 1), (1, 2), (2, 3)]


def test_without_the_certificate_the_address_is_refused(
    scheduler: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(executors, "PATIENCE", 2.0)
    for address in (scheduler, scheduler.replace("tls://", "tcp://")):
        with pytest.raises(SpotlabError, match=r"or tls://host:8786 and the certificates of Dask"):
            compute.executor(1, address)


@pytest.mark.parametrize("command", ["spot symbols", "spot words", "reproduce symbols"])
def test_the_help_says_whom_to_trust(command: str) -> None:
    text = " ".join(CliRunner().invoke(_root(), [*command.split(), "--help"]).output.split())
    assert "trust the scheduler" in text and "distributed.comm.tls" in text
