"""Writes what shells need to complete commands and options of spotlab."""

from __future__ import annotations

from click.shell_completion import FishComplete, ShellComplete, ZshComplete, get_completion_class

from spotlab.cli.root import _root

VARIABLE = "_SPOTLAB_COMPLETE"
PLACES = {
    "bash": "usr/share/bash-completion/completions/spotlab",
    "zsh": "usr/share/zsh/vendor-completions/_spotlab",
    "fish": "usr/share/fish/vendor_completions.d/spotlab.fish",
}


def completion(shell: str) -> str:
    """The script that makes a shell ask spotlab itself.

    Parameters
    ----------
    shell : str
        bash, zsh or fish.
    """
    kind = {"zsh": ZshComplete, "fish": FishComplete}.get(shell) or get_completion_class(shell)
    assert kind is not None
    made: ShellComplete = kind(_root(), {}, "spotlab", VARIABLE)
    # not `source`, which runs the shell to ask for its version
    return made.source_template % made.source_vars()
