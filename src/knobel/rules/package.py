"""What else an edition prints: what is in its box, for whom, how long a game takes, and the publisher's hints."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from knobel.phrase import BoxName, Phrase, phrase
from knobel.rules.articles import Article
from knobel.rules.fields import Int, KeyPath, Name, TableField
from knobel.rules.schema import read_optional, reject_unknown_keys

ITEMS = ("dice", "pad", "cup", "pencil", "pen", "chip")
"""What can lie in a box, by the last part of its key in the catalog."""
MAX_ITEMS, MAX_AGE, MAX_MINUTES = 99, 120, 600


@dataclass(frozen=True, slots=True)
class Package:
    """What an edition prints beside its rules; what it does not print is missing."""

    contents: Mapping[str, int]
    least_age: int | None
    most_age: int | None
    minutes: int | None
    hints: tuple[str, ...]


def read_package(table: Mapping[str, object], path: KeyPath) -> Package:
    reject_unknown_keys(table, ("contents", "ages", "minutes", "hints"), path)
    contents = TableField().read(table.get("contents", {}), path.child("contents"))
    reject_unknown_keys(contents, ITEMS, path.child("contents"))
    ages = TableField().read(table.get("ages", {}), path.child("ages"))
    reject_unknown_keys(ages, ("least", "most"), path.child("ages"))
    return Package(
        contents={item: Int(1, MAX_ITEMS).read(contents[item], path.child("contents")) for item in contents},
        least_age=read_optional(ages, "least", Int(0, MAX_AGE), None, path.child("ages")),
        most_age=read_optional(ages, "most", Int(0, MAX_AGE), None, path.child("ages")),
        minutes=read_optional(table, "minutes", Int(1, MAX_MINUTES), None, path),
        hints=read_hints(table.get("hints", []), path.child("hints")),
    )


def read_hints(names: object, path: KeyPath) -> tuple[str, ...]:
    return tuple(Name(32).read(name, path) for name in names) if isinstance(names, list) else ()


def describe_package(package: Package, boxes: Iterable[str]) -> tuple[Article, ...]:
    """Put into words what an edition prints; hints may name any of its boxes."""
    names = {box: BoxName(box) for box in boxes}
    hints = [Article(f"hint.{name}", "", phrase(f"rules.hint.{name}", **names)) for name in package.hints]
    return (*describe_facts(package), *(hints or [Article("hint", "none", phrase("rules.hint.none"))]))


def describe_facts(package: Package) -> list[Article]:
    """Say what is in the box, for which ages and how long a game takes; or that none of it is printed."""
    found = []
    if package.contents:
        items: tuple[Phrase, ...] = tuple(phrase(f"rules.item.{item}", n=n) for item, n in package.contents.items())
        found.append(Article("contents", "", phrase("rules.contents", items=items)))
    if package.least_age is not None and package.most_age is not None:
        found.append(
            Article("ages", "between", phrase("rules.ages.between", n=package.most_age, least=package.least_age))
        )
    elif package.least_age is not None:
        found.append(Article("ages", "least", phrase("rules.ages.least", n=package.least_age)))
    if package.minutes is not None:
        found.append(Article("duration", "", phrase("rules.duration", n=package.minutes)))
    return found or [Article("contents", "none", phrase("rules.contents.none"))]
