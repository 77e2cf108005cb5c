"""What is handed on: HTML, figures, LaTeX, CSV and JSON."""
