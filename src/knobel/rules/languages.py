"""The languages: every folder of catalogs is one, so adding a language needs no code."""

from pathlib import Path

LANGUAGES = tuple(sorted(path.parent.name for path in (Path(__file__).parents[1] / "lang").glob("*/LC_MESSAGES")))
