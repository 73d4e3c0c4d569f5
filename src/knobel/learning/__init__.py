"""Learning: puzzles with graded answers, lessons, the position and the game of the day, mistakes that come back."""
