"""The open collection: pages, their loading, editing and saving."""
