"""Values in tables of spots: boxes, numbers of classes, and lists of points."""
