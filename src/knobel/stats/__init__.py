"""Statistics: pure functions from games that are over to numbers."""
