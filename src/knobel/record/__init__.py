"""A whole game as one `.knobel` record: its events, its replay and its file."""
