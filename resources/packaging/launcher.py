"""What a build for people without Python starts: the program, and processes that work for it."""

from __future__ import annotations

import os
import runpy
import sys


def main() -> None:
    """Run the command, a module of spotlab after ``-m``, or what `multiprocessing` asks for."""
    _forget_own_libraries()
    first = sys.argv[1] if len(sys.argv) > 1 else ""
    if first == "--multiprocessing-fork" or "-c" in sys.argv[1:-1]:
        import multiprocessing  # noqa: PLC0415  # a start need not wait for it

        multiprocessing.freeze_support()  # a worker or the tracker of its resources ends here
    if first == "-m" and len(sys.argv) > 2 and sys.argv[2].startswith("spotlab."):
        del sys.argv[:2]
        runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
        return
    from spotlab.__main__ import main as program  # noqa: PLC0415

    program()


def _forget_own_libraries() -> None:
    """Give other programs that are started, such as Tesseract, the system's libraries.

    A process of spotlab's own looks for the build's libraries again.
    """
    os.environ["PYINSTALLER_RESET_ENVIRONMENT"] = "1"
    before = os.environ.pop("LD_LIBRARY_PATH_ORIG", None)
    if before:
        os.environ["LD_LIBRARY_PATH"] = before
    else:
        os.environ.pop("LD_LIBRARY_PATH", None)


if __name__ == "__main__":
    main()
