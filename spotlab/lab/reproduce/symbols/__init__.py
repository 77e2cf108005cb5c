"""The study of symbol spotting, with its tables, plots and report."""
