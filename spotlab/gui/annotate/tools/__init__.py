"""The tools that draw and change regions, one file each."""
