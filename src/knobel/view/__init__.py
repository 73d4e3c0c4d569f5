"""What can be seen of a room and its table: ids, numbers, and sentences in the viewer's language; never a seed."""
