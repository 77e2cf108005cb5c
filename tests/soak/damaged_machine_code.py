"""Damages stored machine code again and again: results stay as they are.

``python -m tests.soak.damaged_machine_code --each 100 --seed 1``
"""

from __future__ import annotations

import argparse
import importlib
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.soak.damage import DAMAGES

ROOT = Path(__file__).resolve().parents[2]
CODE = """
from pathlib import Path
import numpy as np
from spotlab.geometry.compiled.machine_code import MachineCode

CODE = MachineCode("own", (Path(__file__),), "own_kernels")


@CODE.compiled
def added(values):
    total = 0.0
    for value in values:
        total += value
    return total


@CODE.compiled
def doubled(values):
    return 2 * added(values)


def warm_up():
    doubled(np.ones(1))
    added(np.ones(1))
    CODE.mark_stored()


if __name__ == "__main__":
    warm_up()
"""


def environment(folder: Path) -> dict[str, str]:
    """Of processes that have the module and keep its machine code in a folder."""
    (folder / "own_kernels.py").write_text(CODE)
    paths = os.pathsep.join([str(folder), str(ROOT)])
    return {**os.environ, "PYTHONPATH": paths, "NUMBA_CACHE_DIR": str(folder / "cache")}


def run(each: int, seed: int) -> int:
    """Damage every kind of file in every way; raises where one process fails."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        own = environment(folder)
        subprocess.run([sys.executable, "-m", "own_kernels"], env=own, check=True, timeout=300)
        command = [sys.executable, "-m", __spec__.name, "--inside", name]
        command += ["--each", str(each), "--seed", str(seed)]
        subprocess.run(command, env=own, check=True, timeout=60 + 5 * each)
    return each * len(DAMAGES) * len(KINDS)


KINDS = ("*.nbc", "*.nbi", "complete")


def damage_all(folder: Path, each: int, seed: int) -> None:
    """Damage copies of what is stored; one process, since importing numba takes its time."""
    import numpy as np  # noqa: PLC0415
    import own_kernels  # noqa: PLC0415

    from spotlab.geometry.compiled import checked_files, machine_code  # noqa: PLC0415

    values = np.arange(5.0)
    for kind in KINDS:
        for name, damage in DAMAGES.items():
            for number in range(each):
                copy = folder / "copy"
                shutil.rmtree(copy, ignore_errors=True)
                shutil.copytree(folder / "cache", copy)
                os.environ["NUMBA_CACHE_DIR"] = str(copy)
                chance = random.Random(f"{seed} {kind} {name} {number}")
                target = chance.choice(sorted(copy.rglob(kind)))
                before = target.read_bytes()
                target.write_bytes(damage(before, chance))
                machine_code._folder.cache_clear()
                checked_files._whole.clear()
                importlib.reload(own_kernels)
                case = f"seed {seed}: {kind}, {name}, {number}"
                harmless = target.read_bytes() == before
                assert own_kernels.CODE.is_stored() is harmless, case
                assert own_kernels.doubled(values) == 20.0, case
                assert own_kernels.added(values) == 10.0, case


def main() -> None:
    """Run it as the arguments say."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=100, help="Damages of each kind.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--inside", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.inside:
        damage_all(Path(given.inside), given.each, given.seed)
    else:
        print(f"{run(given.each, given.seed)} damaged files of machine code: all the same")


if __name__ == "__main__":
    main()
