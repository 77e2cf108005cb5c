"""A second annotator beside the first: their regions, the agreement, and what is decided."""
