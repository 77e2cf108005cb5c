"""The tools of the canvas, one file each, found through the registry."""
