"""Reports on studies, one file each."""
