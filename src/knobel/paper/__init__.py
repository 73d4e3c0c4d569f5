"""What can be printed or kept as a picture."""
