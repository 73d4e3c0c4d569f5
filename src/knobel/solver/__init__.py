"""The solver: exact expected values of every position of any score-sheet game."""
