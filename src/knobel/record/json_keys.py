"""JSON objects with a key twice: readers don't agree on which of the values counts, so none of them is accepted."""

import json
import re

KEY_PATTERN = re.compile(r'"([^"]*)"\s*:')


class DuplicateKey(ValueError):
    """An object has a key twice."""


def check_duplicate_keys(text: str) -> None:
    """Refuse a JSON text with an object that has a key twice.

    Looking for names is quick; only where one stands there twice, or could be written in another way, all is read.
    """
    names = KEY_PATTERN.findall(text)
    if len(set(names)) != len(names) or "\\" in text:
        json.loads(text, object_pairs_hook=refuse_duplicates)


def refuse_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise DuplicateKey
    return found
