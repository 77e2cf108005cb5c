"""Annotate: draw ground truth, with its panels, tools, actions and Find Similar."""
