"""The spotlab program, also as `python -m spotlab`: signals first, everything else after them."""

from spotlab import interruption


def main() -> None:
    """Run the command that the process was started with and end it."""
    interruption.install()
    try:
        from spotlab.cli.root import main as command  # noqa: PLC0415  # takes its time
        from spotlab.processes import run_nothing_from_here  # noqa: PLC0415

        run_nothing_from_here()
        command()
    except BaseException:
        if interruption.is_cancelled():
            interruption.end()
        raise


if __name__ == "__main__":
    main()
