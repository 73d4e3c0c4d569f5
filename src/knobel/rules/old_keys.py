"""Old names of keys in rules files: still read, with a note that says the name of today.

The canonical form of rules, which fingerprints are made from, keeps the old names for ever.
"""

from collections.abc import Mapping

from knobel.phrase import Phrase, phrase
from knobel.rules.fields import abbreviate

OLD_KEYS = {"throws": "rolls"}


def rename_old_keys(table: Mapping[str, object]) -> dict[str, object]:
    """Give the keys of a table their names of today; an old key beside its new one stays, for the schema to refuse."""
    return {key if OLD_KEYS.get(key) in table else OLD_KEYS.get(key, key): value for key, value in table.items()}


def rename_file_keys(table: Mapping[str, object]) -> dict[str, object]:
    """Rename the keys of a rules file: at the top, in what a printed text changes, and in the sources."""
    renamed = rename_old_keys(table)
    if isinstance(texts := renamed.get("texts"), dict):
        renamed["texts"] = {
            text: rename_old_keys(patch) if isinstance(patch, dict) else patch for text, patch in texts.items()
        }
    if isinstance(sources := renamed.get("sources"), dict):
        renamed["sources"] = rename_old_keys(sources)
    return renamed


def note_old_keys(table: Mapping[str, object], file: str) -> tuple[Phrase, ...]:
    """Say for each old key of a rules file how it is called now, once, wherever it stands."""
    texts = table.get("texts")
    patches = [table, *(texts.values() if isinstance(texts, dict) else ()), table.get("sources")]
    found = {key for patch in patches if isinstance(patch, dict) for key in patch}
    return tuple(
        phrase("rules.old_key", file=abbreviate(file), old=old, new=new)
        for old, new in OLD_KEYS.items()
        if old in found
    )
