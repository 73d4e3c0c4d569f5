"""Tournaments of several rounds: who is paired with whom, and how it stands; pure functions, players by number."""
