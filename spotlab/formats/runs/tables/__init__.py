"""Values in tables of spots: columns of boxes, numbers of classes, and lists of points."""
