"""Measures speed, and works out the figures of the guides; each module says how it is run."""
