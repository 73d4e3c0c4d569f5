"""A room and its chairs: who is here, what will be played, and everything one can want there."""
