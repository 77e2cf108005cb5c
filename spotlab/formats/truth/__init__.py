"""One file per format of truth, found through the registry, and the pages that files belong to."""
