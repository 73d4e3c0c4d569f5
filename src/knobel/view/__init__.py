"""What somebody in a room may see: ids, numbers, and phrases said by whoever looks; no seed before its time."""
