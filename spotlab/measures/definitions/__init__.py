"""One file for each measure: its definition, and how it is computed in all its forms."""
