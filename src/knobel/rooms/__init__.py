"""Rooms: their seats, their settings, and the intents of the people in them."""
