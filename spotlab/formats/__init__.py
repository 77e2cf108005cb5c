"""One file per file format: sniff, read, write. The only package that imports lxml."""
