"""Studies of areas: evaluation of runs against truth, scalability, annotators."""
