"""Words: search written words; judge, re-rank and purge ranked lists."""
