"""Files of pages: their pixels, decoded in a worker process."""
