"""Learning: networks trained on drawings, and adapted to what users have."""
