"""The canvas that all workspaces share: the page, its regions and the gesture under way."""
