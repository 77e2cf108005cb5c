"""What stands around the canvas; each binds to the workbench and knows no other panel."""
