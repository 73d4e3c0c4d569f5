"""The coach: what each move is worth, and reviews of finished games."""
