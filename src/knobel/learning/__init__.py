"""Learning: puzzles with graded answers, the position and the game of the day, mistakes that come back."""
