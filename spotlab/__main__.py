"""`python -m spotlab` is the spotlab command."""

from spotlab.cli.root import main

if __name__ == "__main__":
    main()
