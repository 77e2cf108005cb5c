"""The panels of Inspect: runs, queries, figures, errors and spot."""
