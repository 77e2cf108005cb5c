"""Studies that repeat those of papers."""
