"""Long runs of what `make test` does a little of: `python -m tests.soak.NAME --help`."""
