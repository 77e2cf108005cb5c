"""What all formats stand on: rows, columns, bad lines, JSON, and files that are written whole."""
