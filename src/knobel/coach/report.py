"""A review as a page that stands alone: the sheet with a margin of red-pencil notes, no script."""

from collections.abc import Sequence
from html import escape
from pathlib import Path

from knobel.coach.ledger import (
    AGAINST_RULES,
    DICE,
    PERCENT,
    POINTS,
    UNSEEN,
    Decision,
    LuckEvent,
    Review,
    ReviewPart,
    TurnSummary,
)
from knobel.coach.serialize import REASON_SEPARATOR, Translate
from knobel.phrase import BoxName, FormattedNumber, Phrase, phrase

CSS = Path(__file__).with_name("report.css")
TABLE_HEADS = (
    "turn",
    "round",
    "entry",
    "points",
    "then",
    "notes",
    "part",
    "player",
    "par",
    "luck",
    "lost",
    "final",
    "how",
)
"""What stands above the columns of tables, here and in other windows."""
CHART_WIDTH, CHART_HEIGHT, CHART_MARGIN, LUCK_BAR_HEIGHT = 720, 220, 34, 70


def render_report(
    title: str, game_id: str, reviews: Sequence[tuple[str, Review]], chosen: int, lang: str, say: Translate
) -> str:
    """Write the page of one player, with the others beside him."""
    name, review = reviews[chosen]
    parts = [
        f"<h1>{escape(name)}<small>{escape(title)}, {escape(game_id)}</small></h1>",
        render_totals(review, say),
        f'<p class="class">{render_text(say, phrase("coach.report.class", rating=describe_rating(review)))}</p>',
        *(f'<p class="small">{render_text(say, remark)}</p>' for remark in list_remarks(review)),
        render_course(review, say),
        f"<h2>{render_text(say, phrase('coach.report.better'))}</h2>",
        render_sheet(review, say),
        render_players(reviews, chosen, say) if len(reviews) > 1 else "",
    ]
    style = CSS.read_text(encoding="utf-8")
    return (
        f'<!doctype html>\n<html lang="{lang}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(name)}: {escape(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(filter(None, parts))
        + "\n</main>\n</body>\n</html>\n"
    )


def render_text(say: Translate, text: Phrase) -> str:
    """Say something on a page."""
    return escape(say(text), quote=False)


def describe_rating(review: Review) -> Phrase:
    """Name the class."""
    return phrase(f"coach.class.{review.rating}")


def list_remarks(review: Review) -> list[Phrase]:
    """Say what one must know to read the numbers."""
    found = []
    rounds = sum(part.kind == "round" for part in review.parts)
    if any(part.kind == "game" and part.players > 2 for part in review.parts):
        found.append(phrase("coach.report.whole"))
    if rounds:
        found.append(phrase("coach.report.rounds", n=rounds))
    if not review.in_book:
        found.append(phrase("coach.report.out_of_book"))
    elif not review.finished and review.unit == POINTS:
        found.append(
            phrase(
                "coach.report.unfinished",
                written=format_number(review.scored, 0),
                rest=format_number(review.still_expected, 1),
            )
        )
    if not review.finished and review.unit == PERCENT:
        found.append(phrase("coach.report.broken_off"))
    if unseen := [roll for roll in review.luck_events if roll.kind == UNSEEN]:
        found.append(phrase("coach.report.unseen", n=len(unseen), luck=format_signed(review.unseen_luck)))
    if review.against_rules_count:
        found.append(phrase("coach.report.bent", n=review.against_rules_count))
    if review.correction_count:
        found.append(phrase("coach.report.corrected", n=review.correction_count))
    if review.undo_count:
        found.append(phrase("coach.report.undone", n=review.undo_count))
    if review.stand_in_count:
        found.append(phrase("coach.report.stood_in", n=review.stand_in_count))
    if not review.has_expected_scores and review.flawed_decisions:
        found.append(phrase("coach.report.this_turn"))
    return found


def format_number(value: float, digits: int = 2) -> FormattedNumber:
    """Write a number; a whole one needs no digits behind the point."""
    value = round(value, digits) + 0.0
    return FormattedNumber(value, 0 if value == int(value) else digits)


def format_signed(value: float) -> FormattedNumber:
    """Write a number with its sign."""
    return FormattedNumber(value, 2, signed=True)


def render_figure(say: Translate, figure: FormattedNumber) -> str:
    """Write a number that stands alone."""
    return render_text(say, phrase("coach.report.figure", figure=figure))


def format_ledger(own: Review | ReviewPart) -> tuple[FormattedNumber, ...]:
    """Write a ledger: par, luck, lost, final."""
    return format_number(own.par), format_signed(own.luck), format_number(own.lost), format_number(own.final)


def render_totals(review: Review, say: Translate) -> str:
    """Write the ledger in large figures."""
    cells = zip(("par", "luck", "lost", "final"), format_ledger(review), strict=True)
    rows = [
        f'<div class="{name}"><dt>{render_text(say, phrase(f"coach.report.{name}"))}</dt>'
        f"<dd>{render_figure(say, shown)}</dd></div>"
        for name, shown in cells
    ]
    return f'<dl class="sum">{"".join(rows)}</dl>'


def render_sheet(review: Review, say: Translate) -> str:
    """Draw the sheet with its margin; a game of rounds has a line for each round instead."""
    heads = ("turn", "entry", "points", "luck", "notes") if review.entries else ("round", "then", "luck", "notes")
    kinds = {"points": "number", "then": "number", "luck": "number", "notes": "notes"}
    head = "".join(
        f'<th scope="col" class="{kinds.get(one, "")}">{render_text(say, phrase(f"coach.report.{one}"))}</th>'
        for one in heads
    )
    lines = {line.box: line for line in review.turn_summaries}
    rows = [render_row(review, lines.get(box), box, points, say) for box, points in review.entries]
    rows += [] if review.entries else [render_row(review, line, None, None, say) for line in review.turn_summaries]
    kind = "" if review.entries else " rounds"
    return f'<table class="sheet{kind}"><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table>'


def render_row(review: Review, summary: TurnSummary | None, box: str | None, points: int | None, say: Translate) -> str:
    """Draw one row: its turn, its entry, its luck, and the notes about the decisions of that turn."""
    turn = summary.turn if summary else None
    value = render_figure(say, format_number(summary.value if summary else 0.0, 1))
    shown = value if not box else "" if points is None else str(points)
    name = f'<th scope="row">{render_text(say, phrase("coach.report.box", box=BoxName(box)))}</th>' if box else ""
    entry = f'<td class="number mine">{shown}</td>'
    luck = (
        f'<td class="number {choose_luck_style(summary.luck)}">{render_figure(say, format_signed(summary.luck))}</td>'
        if summary
        else "<td></td>"
    )
    notes = [render_note(decision, say) for decision in review.flawed_decisions if decision.turn == turn]
    if any(roll.kind == UNSEEN and roll.turn == turn for roll in review.luck_events):
        notes.append(f'<p class="small">{render_text(say, phrase("coach.report.not_seen"))}</p>')
    if any(roll.kind == AGAINST_RULES and roll.turn == turn for roll in review.luck_events):
        notes.append(f'<p class="small">{render_text(say, phrase("coach.report.anyway"))}</p>')
    return f'<tr><td class="small">{turn or ""}</td>{name}{entry}{luck}<td class="notes">{"".join(notes)}</td></tr>'


def choose_luck_style(luck: float) -> str:
    """Choose the colour of luck; the sign says it too."""
    return "good" if luck > 0 else "bad"


def render_note(decision: Decision, say: Translate) -> str:
    """Write a note in red pencil."""
    why = say(REASON_SEPARATOR).join(say(reason) for reason in decision.reasons)
    grade = render_text(say, phrase(f"coach.grade.{decision.grade}"))
    cost, choice = render_figure(say, FormattedNumber(decision.loss, 2)), render_text(say, describe_choice(decision))
    return f'<p class="note"><b>&minus;{cost}</b> {grade}. {choice} <q>{escape(why, quote=False)}</q></p>'


def describe_choice(decision: Decision) -> Phrase:
    """Say what was played and what was best beside its turn."""
    dice = " ".join(map(str, decision.dice))
    if not dice:
        return phrase("coach.report.noted_first", played=decision.played, best=decision.best)
    return phrase("coach.report.noted", dice=dice, played=decision.played, best=decision.best)


def describe_decision(review: Review, decision: Decision) -> Phrase:
    """Say what was played and what was best."""
    where = phrase(f"coach.report.in_{review.unit}", turn=decision.turn)
    if not decision.dice:
        return phrase("coach.report.decision_first", where=where, played=decision.played, best=decision.best)
    dice = " ".join(map(str, decision.dice))
    return phrase("coach.report.decision", where=where, dice=dice, played=decision.played, best=decision.best)


def render_course(review: Review, say: Translate) -> str:
    """Draw what could be expected after each turn, and below it the luck of each turn."""
    if not review.turn_summaries:
        return ""
    par, values = review.par, [line.value for line in review.turn_summaries]
    if review.unit == PERCENT:
        par = review.parts[0].par
    drawn = [par, *values]
    low, high = min(drawn), max(drawn)
    step = (CHART_WIDTH - 2 * CHART_MARGIN) / len(values)

    def across(place: float) -> float:
        return CHART_MARGIN + step * place

    def up(value: float) -> float:
        return 12 + (CHART_HEIGHT - 24) * (high - value) / ((high - low) or 1)

    line = " ".join(f"{across(place):.1f},{up(value):.1f}" for place, value in enumerate(drawn))
    dots = "".join(
        f'<circle class="dot" cx="{across(place):.1f}" cy="{up(value):.1f}" r="3"/>'
        for place, value in enumerate(drawn)
    )
    most = max(abs(one.luck) for one in review.turn_summaries) or 1
    floor = CHART_HEIGHT + LUCK_BAR_HEIGHT / 2
    bars = "".join(
        render_luck_bar(one, across(place + 0.5), floor, most) for place, one in enumerate(review.turn_summaries)
    )
    labels = "".join(
        f'<text x="{across(place + 1):.1f}" y="{CHART_HEIGHT + LUCK_BAR_HEIGHT + 16}">{one.turn}</text>'
        for place, one in enumerate(review.turn_summaries)
    )
    about = render_text(
        say, phrase("coach.report.course_about", par=format_number(par, 1), final=format_number(values[-1], 1))
    )
    rolls = [render_text(say, extreme) for extreme in describe_luck_extremes(review)]
    return (
        f"<h2>{render_text(say, phrase('coach.report.course'))}</h2><figure>"
        f'<svg viewBox="0 0 {CHART_WIDTH} {CHART_HEIGHT + LUCK_BAR_HEIGHT + 20}" role="img" aria-label="{about}">'
        f'<path class="par" d="M{CHART_MARGIN} {up(par):.1f}H{CHART_WIDTH - CHART_MARGIN}"/>'
        f'<path class="axis" d="M{CHART_MARGIN} {floor}H{CHART_WIDTH - CHART_MARGIN}"/>'
        f'<polyline class="course" points="{line}"/>{dots}{bars}{labels}</svg>'
        f"<figcaption>{' '.join([about, *rolls])}</figcaption></figure>"
    )


def render_luck_bar(summary: TurnSummary, middle: float, floor: float, most: float) -> str:
    """Draw the luck of a turn as a bar, upwards or downwards."""
    tall = abs(summary.luck) / most * LUCK_BAR_HEIGHT / 2
    top = floor - tall if summary.luck > 0 else floor
    kind = "up" if summary.luck > 0 else "down"
    return f'<rect class="{kind}" x="{middle - 2:.1f}" y="{top:.1f}" width="14" height="{tall:.1f}"/>'


def describe_luck_extremes(review: Review) -> list[Phrase]:
    """Name the luckiest and the unluckiest roll."""
    rolls = [roll for roll in review.luck_events if roll.kind == DICE]
    if not rolls:
        return []
    ends = {"luckiest": max(rolls, key=get_luck), "unluckiest": min(rolls, key=get_luck)}
    return [
        phrase(
            "coach.report.luckiest" if name == "luckiest" else "coach.report.unluckiest",
            where=phrase(f"coach.report.in_{review.unit}", turn=roll.turn),
            dice=" ".join(map(str, roll.dice)),
            luck=format_signed(roll.luck),
            grade=phrase(f"coach.luck.{roll.grade}"),
        )
        for name, roll in ends.items()
    ]


def get_luck(event: LuckEvent) -> float:
    """Give the luck of a roll."""
    return event.luck


def render_players(reviews: Sequence[tuple[str, Review]], chosen: int, say: Translate) -> str:
    """Draw the ledgers of all players."""
    heads = ("player", "par", "luck", "lost", "final", "how")
    head = "".join(
        f'<th scope="col" class="{"" if one in ("player", "how") else "number"}">'
        f"{render_text(say, phrase(f'coach.report.{one}'))}</th>"
        for one in heads
    )
    rows = [
        f'<tr{" class=now" if place == chosen else ""}><th scope="row">{escape(name)}</th>'
        + "".join(f'<td class="number">{render_figure(say, one)}</td>' for one in format_ledger(own))
        + f"<td>{render_text(say, describe_rating(own))}</td></tr>"
        for place, (name, own) in enumerate(reviews)
    ]
    return f'<table class="players"><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table>'
