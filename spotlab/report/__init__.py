"""Reports and exports: HTML, figures, LaTeX, CSV and JSON."""
