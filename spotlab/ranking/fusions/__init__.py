"""One file for each fusion, with its reference."""
