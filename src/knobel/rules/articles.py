"""The rules as articles: one phrase for each field that plays, so that switches and house rules read correctly too."""

from dataclasses import dataclass

from knobel.phrase import BoxName, Phrase, Value, phrase
from knobel.rules.scoring import Box, Pattern
from knobel.rules.sheet_rules import SheetRules, Yatzy


@dataclass(frozen=True, slots=True)
class Article:
    """One rule: what it is about, which form of it is played, and what to say."""

    topic: str
    variant: str
    phrase: Phrase


@dataclass(frozen=True, slots=True)
class Difference:
    """One article in which two rulesets differ; a side is missing if its rules have no such article."""

    topic: str
    left: Article | None
    right: Article | None


def build_sheet_articles(rules: SheetRules) -> tuple[Article, ...]:
    """Write out the rules, in the order in which one explains a game."""
    return (
        *describe_table(rules),
        *describe_turn(rules),
        *describe_entry(rules),
        *describe_boxes(rules),
        *describe_end(rules),
    )


def describe_table(rules: SheetRules) -> list[Article]:
    """Describe the dice, the number of players and who begins."""
    return [
        make_article("material", "", n=rules.dice, faces=rules.faces, boxes=len(rules.boxes)),
        describe_players(rules),
        make_article("start", rules.start, n=rules.dice),
        make_article("turns", ""),
    ]


def describe_players(rules: SheetRules) -> Article:
    """Say how many may play."""
    least, most = rules.players.least, rules.players.most
    return (
        make_article("players", "between", n=most, least=least) if most else make_article("players", "least", n=least)
    )


def describe_turn(rules: SheetRules) -> list[Article]:
    """Say how one turn goes."""
    keep = "locked" if rules.locked_dice else "once" if rules.rolls == 1 else "free"
    return [make_article("rolls", "", n=rules.rolls, dice=rules.dice), make_article("keep", keep)]


def describe_entry(rules: SheetRules) -> list[Article]:
    """Say where a result may be scored."""
    found = [make_article("order", rules.order), make_article("entry", "")]
    if rules.order == "top_down":
        found.append(make_article("sheet", "", boxes=tuple(BoxName(box.id) for box in rules.boxes)))
    if rules.order == "free" and rules.must_fit:
        chance = {"box": BoxName(rules.chance.box)} if rules.chance else {}
        found += [make_article("fit", ""), make_article("zero", "after_chance" if chance else "no_fit", **chance)]
    elif rules.order == "free":
        found.append(make_article("zero", "free"))
    if rules.chance:
        rule = "missed" if rules.order == "announced" else "fit" if rules.must_fit else rules.chance.rule
        found.append(
            make_article("chance", "in_turn" if rules.order == "top_down" else rule, box=BoxName(rules.chance.box))
        )
    return found


def describe_boxes(rules: SheetRules) -> list[Article]:
    """Say what each box wants and pays, the bonus after the upper ones, and what further yatzys score."""
    found = [describe_box(box, rules) for box in rules.boxes if box.upper]
    if rules.bonus:
        strict = "strict" if rules.bonus.strict else "reached"
        found.append(make_article("bonus", strict, points=rules.bonus.points, threshold=rules.bonus.threshold))
    found += [describe_box(box, rules) for box in rules.boxes if not box.upper]
    return found + (describe_extra_yatzys(rules, rules.yatzy) if rules.yatzy else [])


def describe_box(box: Box, rules: SheetRules) -> Article:
    """Say what one box wants and pays."""
    said = phrase("rules.box", box=BoxName(box.id), pattern=describe_pattern(box, rules), points=describe_points(box))
    return Article(f"box.{box.id}", "", said)


def describe_pattern(box: Box, rules: SheetRules) -> Phrase:
    """Say which dice a box wants."""
    said = describe_shape(box.pattern, rules)
    best = said.key == "group" and box.counts == "group"
    return phrase(f"rules.pattern.{'group_highest' if best else said.key}", **said.values)


def name_by_pattern(box: Box, rules: SheetRules) -> Phrase:
    """Name a box that has no name of its own by what it wants."""
    said = describe_shape(box.pattern, rules)
    return phrase(f"rules.named.{said.key}", **said.values)


def describe_shape(pattern: Pattern, rules: SheetRules) -> Phrase:
    """Tell apart the forms of a pattern that players have words for."""
    match pattern.name, dict(pattern.settings):
        case "group", {"size": size} if size == rules.dice:
            return phrase("all_alike", n=rules.dice)
        case "group", {"size": int(size)}:
            return phrase("group", n=size)
        case "pairs", {"count": int(count), "same_face": same}:
            return phrase("pairs_same" if same else "pairs", n=count)
        case "house", {"sizes": tuple(sizes), "same_face": same}:
            return phrase("house_same" if same else "house", sizes="+".join(map(str, sizes)))
        case "run", {"length": int(length), "start": int(start)} if start:
            return phrase("run_from", run="-".join(str(face) for face in range(start, start + length)))
        case "run", {"length": int(length)}:
            return phrase("run", n=length)
        case "faces", {"face": int(face)}:
            return phrase("faces", face=face)
        case "only", {"faces": tuple(faces)}:
            return describe_faces(faces, rules.faces)
    return phrase(pattern.name)


def describe_faces(faces: tuple[int, ...], most: int) -> Phrase:
    """Recognise all odd and all even."""
    for parity, name in ((1, "odd"), (0, "even")):
        if set(faces) == {face for face in range(1, most + 1) if face % 2 == parity}:
            return phrase(name)
    return phrase("only", faces=" ".join(map(str, sorted(faces))))


def describe_points(box: Box) -> Phrase:
    """Say what a box pays."""
    plus = "_plus" if box.points and box.counts != "nothing" else ""
    return phrase(f"rules.points.{box.counts}{plus}", n=box.points)


def describe_extra_yatzys(rules: SheetRules, yatzy: Yatzy) -> list[Article]:
    """Say what a further roll of all dice alike scores."""
    box, found = BoxName(yatzy.box), []
    if yatzy.joker != "none":
        found.append(make_article("joker", yatzy.joker, box=box, n=rules.dice))
    if yatzy.prime:
        found.append(make_article("prime", "", box=box, points=yatzy.prime, n=rules.dice))
    if yatzy.second and rules.chance:
        chance = BoxName(rules.chance.box)
        found.append(make_article("second", "", points=yatzy.second, chance=chance, n=rules.dice))
        found.append(make_article("forced_zero", yatzy.forced_zero, box=box, chance=chance))
    return found


def describe_end(rules: SheetRules) -> list[Article]:
    """Say how it ends and who wins."""
    left = "last" if rules.players.least > 1 else "on"
    return [
        make_article("win", "", n=len(rules.boxes)),
        make_article("leave", left),
        make_article("series", rules.series),
    ]


def compare_articles(left: tuple[Article, ...], right: tuple[Article, ...]) -> tuple[Difference, ...]:
    """Compare two sets of articles and keep those that differ."""
    here = {item.topic: item for item in left}
    there = {item.topic: item for item in right}
    topics = dict.fromkeys((*here, *there))
    rows = (Difference(topic, here.get(topic), there.get(topic)) for topic in topics)
    return tuple(row for row in rows if row.left != row.right)


def list_features(rules: SheetRules) -> dict[str, dict[str, Value]]:
    """Name the rules that not every game of the family has."""
    yatzy, bonus, chance = rules.yatzy, rules.bonus, rules.chance
    second = yatzy.second if yatzy else 0
    named: dict[str, dict[str, Value] | None] = {
        "bonus": {"points": bonus.points, "goal": bonus.goal} if bonus else None,
        "joker": {} if yatzy and yatzy.joker != "none" else None,
        "prime": {"points": yatzy.prime} if yatzy and yatzy.prime else None,
        "second": {"points": second, "box": BoxName(chance.box)} if second and chance else None,
        "locked_dice": {} if rules.locked_dice else None,
        "must_fit": {} if rules.must_fit else None,
        "chance": {"box": BoxName(chance.box)} if chance and chance.rule != "free" else None,
        "announced": {} if rules.order == "announced" else None,
        "yatzy": find_yatzy_points(rules),
    }
    return {name: values for name, values in named.items() if values is not None}


def find_yatzy_points(rules: SheetRules) -> dict[str, Value] | None:
    """Name a yatzy that pays its dice on top."""
    box = rules.boxes[rules.index[rules.yatzy.box]] if rules.yatzy else None
    return {"points": box.points} if box and box.counts != "nothing" else None


def find_sheet_special_boxes(rules: SheetRules) -> dict[str, str]:
    """Find the boxes that sentences name by what they are for."""
    named = {"chance": rules.chance, "five": rules.yatzy}
    return {name: found.box for name, found in named.items() if found is not None}


def make_article(topic: str, variant: str, **values: Value) -> Article:
    """Make an article whose words are chosen by topic and variant."""
    return Article(topic, variant, phrase(f"rules.{topic}.{variant}" if variant else f"rules.{topic}", **values))
