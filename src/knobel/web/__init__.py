"""The browser's window on the house: pages, one socket for each client, and nothing that knows a rule."""
