"""The consensus methods, one file each; other packages add theirs by an entry point."""
