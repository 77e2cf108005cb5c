"""Spots symbols in drawings: the system that Rusiñol & Lladós evaluate (§5.2), and a better one."""
