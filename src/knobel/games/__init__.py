"""The families of games, each behind the shape of `game`."""
