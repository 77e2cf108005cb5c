"""Common parts of all formats: rows, columns, bad lines, JSON, and atomic file writing."""
