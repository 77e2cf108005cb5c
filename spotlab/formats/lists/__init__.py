"""Ranked lists, their truth, scores and judgements as files: one module per format."""
