"""The web server: pages, and one socket for each client; nothing here knows the rules."""
