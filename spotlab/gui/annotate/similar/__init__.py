"""Find Similar: proposals of further symbols, their bar, layer, keys and actions."""
