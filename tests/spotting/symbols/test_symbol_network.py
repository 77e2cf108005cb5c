"""The network for symbols that comes with spotlab, and one of the user's own."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from spotlab import resources
from spotlab.errors import BadInput, SpotlabError
from spotlab.lab.train.symbols.training import NO_SYMBOL, DrawnSymbols
from spotlab.spotting.symbols.embedding.network import SHIPPED, read_network, shipped_network


def test_it_tells_invented_symbols_apart_and_from_what_is_none() -> None:
    drawn = DrawnSymbols(160, 4711).next()
    found = shipped_network().describe_pictures(drawn.pictures)
    is_symbol = drawn.kinds != NO_SYMBOL
    unit, kinds = found.embedding[is_symbol], drawn.kinds[is_symbol]
    alike = unit @ unit.T - 2 * np.eye(len(unit))
    assert (kinds[alike.argmax(axis=1)] == kinds).mean() > 0.5  # chance: .04
    assert ((found.symbol > 0) == is_symbol).mean() > 0.9


def test_what_is_described_does_not_depend_on_what_is_described_with_it() -> None:
    pictures = DrawnSymbols(70, 1).next().pictures
    network = shipped_network()
    together, alone = (
        network.describe_pictures(pictures),
        network.describe_pictures(pictures[40:41]),
    )
    assert np.allclose(together.embedding[40:41], alone.embedding, atol=1e-5)
    assert len(network.describe_pictures(pictures[:0])) == 0


def test_a_folder_of_the_user_comes_first_where_it_has_such_a_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(resources.MODELS, str(tmp_path))
    usual = resources.needed_model(SHIPPED)
    assert usual.parent != tmp_path and shipped_network() is read_network(usual)
    own = tmp_path / SHIPPED
    shutil.copy(usual, own)
    assert resources.needed_model(SHIPPED) == own
    own.write_bytes(b"other")
    with pytest.raises(BadInput, match=r"symbols.onnx: it is no network for symbols"):
        shipped_network()
    with pytest.raises(SpotlabError, match=r"nothing.onnx is missing, which comes with spotlab"):
        resources.needed_model("nothing.onnx")
