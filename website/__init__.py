"""The documentation as a site: the guides of the repository, and a page for every edition made from its data."""
