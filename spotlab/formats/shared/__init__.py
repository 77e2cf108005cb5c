"""Files of the program's own that several programs change: read, checked, merged and written."""
