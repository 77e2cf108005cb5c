"""The page list with its thumbnails and filter."""
