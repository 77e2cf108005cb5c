"""The commands, one file each; thin, calling what the window calls."""
