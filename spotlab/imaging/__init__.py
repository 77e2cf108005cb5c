"""Open pages, build their pyramid, binarise them, find components, turn a sketch into a region."""
