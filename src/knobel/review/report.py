"""A review as a page that stands alone: the sheet with a margin of red-pencil notes, no script."""

from collections.abc import Sequence
from html import escape
from pathlib import Path

from knobel.phrase import BoxName, Figure, Phrase, phrase
from knobel.review.form import JOINED, Say
from knobel.review.ledger import BENT, DICE, PERCENT, POINTS, UNSEEN, Decision, Part, Review, Roll, TurnLine

CSS = Path(__file__).with_name("report.css")
HEADS = ("turn", "round", "entry", "points", "then", "notes", "part", "player", "par", "luck", "lost", "final", "how")
"""What stands above the columns of tables, here and in other windows."""
WIDE, TALL, EDGE, BARS = 720, 220, 34, 70


def report(title: str, game: str, reviews: Sequence[tuple[str, Review]], chosen: int, lang: str, say: Say) -> str:
    """Write the page of one player, with the others beside him."""
    name, review = reviews[chosen]
    parts = [
        f"<h1>{escape(name)}<small>{escape(title)}, {escape(game)}</small></h1>",
        sum_of(review, say),
        f'<p class="class">{told(say, phrase("coach.report.class", rating=rating(review)))}</p>',
        *(f'<p class="small">{told(say, remark)}</p>' for remark in remarks(review)),
        course(review, say),
        f"<h2>{told(say, phrase('coach.report.better'))}</h2>",
        sheet(review, say),
        players(reviews, chosen, say) if len(reviews) > 1 else "",
    ]
    style = CSS.read_text(encoding="utf-8")
    return (
        f'<!doctype html>\n<html lang="{lang}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(name)}: {escape(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(filter(None, parts))
        + "\n</main>\n</body>\n</html>\n"
    )


def told(say: Say, said: Phrase) -> str:
    """Say something on a page."""
    return escape(say(said), quote=False)


def rating(review: Review) -> Phrase:
    """Name the class."""
    return phrase(f"coach.class.{review.rating}")


def remarks(review: Review) -> list[Phrase]:
    """Say what one must know to read the numbers."""
    found = []
    rounds = sum(part.kind == "round" for part in review.parts)
    if any(part.kind == "game" and part.players > 2 for part in review.parts):
        found.append(phrase("coach.report.whole"))
    if rounds:
        found.append(phrase("coach.report.rounds", n=rounds))
    if not review.in_book:
        found.append(phrase("coach.report.out_of_book"))
    elif not review.over and review.unit == POINTS:
        found.append(phrase("coach.report.unfinished", written=number(review.written, 0), rest=number(review.rest, 1)))
    if not review.over and review.unit == PERCENT:
        found.append(phrase("coach.report.broken_off"))
    if unseen := [roll for roll in review.rolls if roll.kind == UNSEEN]:
        found.append(phrase("coach.report.unseen", n=len(unseen), luck=signed(review.unseen)))
    if review.bent:
        found.append(phrase("coach.report.bent", n=review.bent))
    if review.corrected:
        found.append(phrase("coach.report.corrected", n=review.corrected))
    if review.undone:
        found.append(phrase("coach.report.undone", n=review.undone))
    if review.stood_in:
        found.append(phrase("coach.report.stood_in", n=review.stood_in))
    if not review.told_apart and review.worst:
        found.append(phrase("coach.report.this_turn"))
    return found


def number(value: float, digits: int = 2) -> Figure:
    """Write a number; a whole one needs no digits behind the point."""
    value = round(value, digits) + 0.0
    return Figure(value, 0 if value == int(value) else digits)


def signed(value: float) -> Figure:
    """Write a number with its sign."""
    return Figure(value, 2, signed=True)


def written(say: Say, figure: Figure) -> str:
    """Write a number that stands alone."""
    return told(say, phrase("coach.report.figure", figure=figure))


def ledger(own: Review | Part) -> tuple[Figure, ...]:
    """Write a ledger: par, luck, lost, final."""
    return number(own.par), signed(own.luck), number(own.lost), number(own.final)


def sum_of(review: Review, say: Say) -> str:
    """Write the ledger in large figures."""
    cells = zip(("par", "luck", "lost", "final"), ledger(review), strict=True)
    rows = [
        f'<div class="{name}"><dt>{told(say, phrase(f"coach.report.{name}"))}</dt><dd>{written(say, shown)}</dd></div>'
        for name, shown in cells
    ]
    return f'<dl class="sum">{"".join(rows)}</dl>'


def sheet(review: Review, say: Say) -> str:
    """Draw the sheet with its margin; a game of rounds has a line for each round instead."""
    heads = ("turn", "entry", "points", "luck", "notes") if review.sheet else ("round", "then", "luck", "notes")
    kinds = {"points": "number", "then": "number", "luck": "number", "notes": "notes"}
    head = "".join(
        f'<th scope="col" class="{kinds.get(one, "")}">{told(say, phrase(f"coach.report.{one}"))}</th>' for one in heads
    )
    lines = {line.box: line for line in review.turns}
    rows = [row(review, lines.get(box), box, points, say) for box, points in review.sheet]
    rows += [] if review.sheet else [row(review, line, None, None, say) for line in review.turns]
    kind = "" if review.sheet else " rounds"
    return f'<table class="sheet{kind}"><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table>'


def row(review: Review, line: TurnLine | None, box: str | None, points: int | None, say: Say) -> str:
    """Draw one row: its turn, its entry, its luck, and the notes about the decisions of that turn."""
    turn = line.turn if line else None
    shown = "" if points is None else str(points)
    name = f'<th scope="row">{told(say, phrase("coach.report.box", box=BoxName(box)))}</th>' if box else ""
    entry = f'<td class="number mine">{shown if box else written(say, number(line.value if line else 0.0, 1))}</td>'
    luck = f'<td class="number {tone(line.luck)}">{written(say, signed(line.luck))}</td>' if line else "<td></td>"
    notes = [note(decision, say) for decision in review.worst if decision.turn == turn]
    if any(roll.kind == UNSEEN and roll.turn == turn for roll in review.rolls):
        notes.append(f'<p class="small">{told(say, phrase("coach.report.not_seen"))}</p>')
    if any(roll.kind == BENT and roll.turn == turn for roll in review.rolls):
        notes.append(f'<p class="small">{told(say, phrase("coach.report.anyway"))}</p>')
    return f'<tr><td class="small">{turn or ""}</td>{name}{entry}{luck}<td class="notes">{"".join(notes)}</td></tr>'


def tone(luck: float) -> str:
    """Choose the colour of luck; the sign says it too."""
    return "good" if luck > 0 else "bad"


def note(decision: Decision, say: Say) -> str:
    """Write a note in red pencil."""
    why = say(JOINED).join(say(reason) for reason in decision.why)
    grade = told(say, phrase(f"coach.grade.{decision.grade}"))
    return (
        f'<p class="note"><b>&minus;{written(say, Figure(decision.loss, 2))}</b> {grade}. {told(say, noted(decision))} '
        f"<q>{escape(why, quote=False)}</q></p>"
    )


def noted(decision: Decision) -> Phrase:
    """Say what was played and what was best beside its turn."""
    dice = " ".join(map(str, decision.dice))
    if not dice:
        return phrase("coach.report.noted_first", played=decision.played, best=decision.best)
    return phrase("coach.report.noted", dice=dice, played=decision.played, best=decision.best)


def spoken(review: Review, decision: Decision) -> Phrase:
    """Say what was played and what was best."""
    where = phrase(f"coach.report.in_{review.unit}", turn=decision.turn)
    if not decision.dice:
        return phrase("coach.report.decision_first", where=where, played=decision.played, best=decision.best)
    dice = " ".join(map(str, decision.dice))
    return phrase("coach.report.decision", where=where, dice=dice, played=decision.played, best=decision.best)


def course(review: Review, say: Say) -> str:
    """Draw what could be expected after each turn, and below it the luck of each turn."""
    if not review.turns:
        return ""
    par, values = review.par, [line.value for line in review.turns]
    if review.unit == PERCENT:
        par = review.parts[0].par
    drawn = [par, *values]
    low, high = min(drawn), max(drawn)
    step = (WIDE - 2 * EDGE) / len(values)

    def across(place: float) -> float:
        return EDGE + step * place

    def up(value: float) -> float:
        return 12 + (TALL - 24) * (high - value) / ((high - low) or 1)

    line = " ".join(f"{across(place):.1f},{up(value):.1f}" for place, value in enumerate(drawn))
    dots = "".join(
        f'<circle class="dot" cx="{across(place):.1f}" cy="{up(value):.1f}" r="3"/>'
        for place, value in enumerate(drawn)
    )
    most = max(abs(one.luck) for one in review.turns) or 1
    floor = TALL + BARS / 2
    bars = "".join(bar(one, across(place + 0.5), floor, most) for place, one in enumerate(review.turns))
    labels = "".join(
        f'<text x="{across(place + 1):.1f}" y="{TALL + BARS + 16}">{one.turn}</text>'
        for place, one in enumerate(review.turns)
    )
    about = told(say, phrase("coach.report.course_about", par=number(par, 1), final=number(values[-1], 1)))
    rolls = [told(say, extreme) for extreme in extremes(review)]
    return (
        f"<h2>{told(say, phrase('coach.report.course'))}</h2><figure>"
        f'<svg viewBox="0 0 {WIDE} {TALL + BARS + 20}" role="img" aria-label="{about}">'
        f'<path class="par" d="M{EDGE} {up(par):.1f}H{WIDE - EDGE}"/>'
        f'<path class="axis" d="M{EDGE} {floor}H{WIDE - EDGE}"/>'
        f'<polyline class="course" points="{line}"/>{dots}{bars}{labels}</svg>'
        f"<figcaption>{' '.join([about, *rolls])}</figcaption></figure>"
    )


def bar(line: TurnLine, middle: float, floor: float, most: float) -> str:
    """Draw the luck of a turn as a bar, upwards or downwards."""
    tall = abs(line.luck) / most * BARS / 2
    top = floor - tall if line.luck > 0 else floor
    kind = "up" if line.luck > 0 else "down"
    return f'<rect class="{kind}" x="{middle - 2:.1f}" y="{top:.1f}" width="14" height="{tall:.1f}"/>'


def extremes(review: Review) -> list[Phrase]:
    """Name the luckiest and the unluckiest roll."""
    rolls = [roll for roll in review.rolls if roll.kind == DICE]
    if not rolls:
        return []
    ends = {"luckiest": max(rolls, key=luck_of), "unluckiest": min(rolls, key=luck_of)}
    return [
        phrase(
            "coach.report.luckiest" if name == "luckiest" else "coach.report.unluckiest",
            where=phrase(f"coach.report.in_{review.unit}", turn=roll.turn),
            dice=" ".join(map(str, roll.dice)),
            luck=signed(roll.luck),
            grade=phrase(f"coach.luck.{roll.grade}"),
        )
        for name, roll in ends.items()
    ]


def luck_of(roll: Roll) -> float:
    """Give the luck of a roll."""
    return roll.luck


def players(reviews: Sequence[tuple[str, Review]], chosen: int, say: Say) -> str:
    """Draw the ledgers of all players."""
    heads = ("player", "par", "luck", "lost", "final", "how")
    head = "".join(
        f'<th scope="col" class="{"" if one in ("player", "how") else "number"}">'
        f"{told(say, phrase(f'coach.report.{one}'))}</th>"
        for one in heads
    )
    rows = [
        f'<tr{" class=now" if place == chosen else ""}><th scope="row">{escape(name)}</th>'
        + "".join(f'<td class="number">{written(say, one)}</td>' for one in ledger(own))
        + f"<td>{told(say, rating(own))}</td></tr>"
        for place, (name, own) in enumerate(reviews)
    ]
    return f'<table class="players"><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table>'
