"""A whole game as one `.knobel` record: remembered, replayed, kept in a file."""
