"""The window: puts workspaces, canvas and panels together; nothing imports it."""
