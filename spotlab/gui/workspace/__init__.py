"""What a workspace, a panel, an action and the window are to each other."""
