"""The full-screen game in a terminal: a view of a table like every screen, drawn by Textual."""
