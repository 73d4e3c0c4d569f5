"""Mutation testing: change one thing of the rules at a time, and see whether a quick test fails."""
