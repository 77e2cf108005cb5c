"""Questions to the user: files and keys."""
