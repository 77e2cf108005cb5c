"""Collections of pages: the folder, its labels, and truth of any format in and out."""
