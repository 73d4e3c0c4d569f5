"""A review as a single HTML page without scripts: the sheet, with the coach's notes in the margin."""

from collections.abc import Mapping, Sequence
from html import escape
from operator import attrgetter
from pathlib import Path

from knobel.coach.figures import format_number, format_points, format_signed
from knobel.coach.ledger import (
    AGAINST_RULES,
    DICE,
    ROUNDS,
    UNSEEN,
    Decision,
    Headline,
    Review,
    ReviewPart,
    TurnSummary,
)
from knobel.coach.rating import LEVELS, RatedPlay
from knobel.coach.serialize import REASON_SEPARATOR, Translate
from knobel.coach.win_chart import WinChart
from knobel.coach.win_page import render_win_chart
from knobel.coach.win_story import describe_choice_change
from knobel.phrase import BoxName, FormattedNumber, Phrase, phrase

CSS = Path(__file__).with_name("report.css")
LEDGER_COLUMNS = ("par", "luck", "lost", "final")
PLAYER_COLUMNS = ("player", *LEDGER_COLUMNS, "how")
NOTE_COLUMNS = ("luck", "notes")
"""The last columns of the table of turns; those before them come with the review."""
BEST_FIRST = tuple(name for _, name in reversed(LEVELS))
COLUMN_STYLES = {"points": "number", "then": "number", "luck": "number", "notes": "notes"}
CHART_WIDTH, CHART_HEIGHT, CHART_MARGIN, LUCK_BAR_HEIGHT = 720, 220, 34, 70


def render_report(
    title: str,
    game_id: str,
    reviews: Sequence[tuple[str, Review]],
    chosen: int,
    lang: str,
    say: Translate,
    chart: WinChart | None = None,
) -> str:
    """Render the page of one player, with the ledgers of all players below."""
    name, review = reviews[chosen]
    parts = [
        f"<h1>{escape(name)}<small>{escape(title)}, {escape(game_id)}</small></h1>",
        render_totals(review, say),
        *(f'<p class="class">{render_text(say, one)}</p>' for one in describe_play(review)),
        *(f'<p class="small">{render_text(say, remark)}</p>' for remark in list_remarks(review)),
        render_course(review, say),
        render_win_chart(chart, chosen, [one for one, _ in reviews], say) if chart else "",
        f"<h2>{render_text(say, phrase('coach.report.better'))}</h2>",
        render_sheet(review, say, chart.find_choice_changes(chosen) if chart else {}),
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
    return escape(say(text), quote=False)


def name_level(review: Review) -> Phrase:
    """Name the level of a player, if real decisions tell one."""
    return phrase(f"coach.class.{review.level}") if review.level else phrase("coach.report.no_level")


def describe_level(review: Review) -> Phrase:
    """Say the level of a game, and between which levels the player's own probably lies."""
    play = review.rated_play
    if play is None or not play.tells_level or play.best_level == play.worst_level:
        return phrase("coach.report.class", rating=name_level(review))
    best, worst = (phrase(f"coach.class.{level}") for level in (play.best_level, play.worst_level))
    return phrase("coach.report.class_between", rating=name_level(review), best=best, worst=worst)


def describe_play(review: Review) -> list[Phrase]:
    """Say the level, what it rests on, and what the play would have come to with average luck."""
    said = [describe_level(review)]
    if (play := review.rated_play) is not None:
        said.append(describe_rate(play, review.unit))
    if review.in_book:
        said += [
            phrase(
                f"coach.report.adjusted_{line.kind}",
                final=format_points(line.adjusted),
                error=format_points(line.error),
            )
            for line in review.headlines
        ]
    if said[0].key == "coach.report.class_between":
        said.append(phrase("coach.report.levels", levels=tuple(phrase(f"coach.class.{one}") for one in BEST_FIRST)))
    return said


def describe_rate(play: RatedPlay, unit: str) -> Phrase:
    """Say what a real choice cost; whoever lost no less than random play is not compared with it."""
    rate, random = format_number(play.rate), format_number(play.random_rate)
    if play.rate >= play.random_rate:
        return phrase(f"coach.report.loss_{unit}", n=play.count, rate=rate)
    return phrase(f"coach.report.rate_{unit}", n=play.count, rate=rate, random=random)


def list_remarks(review: Review) -> list[Phrase]:
    """List the remarks needed to read the numbers."""
    remarks = list(review.remarks)
    if unseen := sum(event.kind == UNSEEN for event in review.luck_events):
        remarks.append(phrase("coach.report.unseen", n=unseen, luck=format_signed(review.unseen_luck)))
    if review.against_rules_count:
        remarks.append(phrase("coach.report.bent", n=review.against_rules_count))
    if review.correction_count:
        remarks.append(phrase("coach.report.corrected", n=review.correction_count))
    if review.undo_count:
        remarks.append(phrase("coach.report.undone", n=review.undo_count))
    if review.stand_in_count:
        remarks.append(phrase("coach.report.stood_in", n=review.stand_in_count))
    if not review.has_expected_scores and review.flawed_decisions:
        remarks.append(phrase("coach.report.this_turn"))
    return remarks


def render_figure(say: Translate, figure: FormattedNumber) -> str:
    return render_text(say, phrase("coach.report.figure", figure=figure))


def format_ledger(ledger: Review | ReviewPart | Headline, digits: int = 2) -> tuple[FormattedNumber, ...]:
    """Format par, luck, lost and final; luck is shown as the rest, so that what is shown adds up."""
    par, lost, final = (format_number(one, digits) for one in (ledger.par, ledger.lost, ledger.final))
    luck = FormattedNumber(round(final.value - par.value + lost.value, digits) + 0.0, digits, signed=True)
    return par, luck, lost, final


def render_totals(review: Review, say: Translate) -> str:
    """Render the ledger in large figures; where rounds count on their own, in sentences."""
    if len(review.headlines) > 1 or review.headlines[0].kind == ROUNDS:
        return "".join(f'<p class="class">{render_text(say, format_headline(one))}</p>' for one in review.headlines)
    cells = zip(LEDGER_COLUMNS, format_ledger(review), strict=True)
    rows = [
        f'<div class="{name}"><dt>{render_text(say, phrase(f"coach.report.{name}"))}</dt>'
        f"<dd>{render_figure(say, shown)}</dd></div>"
        for name, shown in cells
    ]
    return f'<dl class="sum">{"".join(rows)}</dl>'


def format_headline(line: Headline) -> Phrase:
    """Format a ledger in one line."""
    par, luck, lost, final = format_ledger(line)
    return phrase(f"coach.report.headline_{line.kind}", n=line.count, par=par, luck=luck, lost=lost, final=final)


def render_sheet(review: Review, say: Translate, changes: Mapping[int, float]) -> str:
    """Render the sheet with its margin; a game without boxes has a row for each turn instead."""
    head = "".join(
        f'<th scope="col" class="{COLUMN_STYLES.get(one, "")}">{render_text(say, phrase(f"coach.report.{one}"))}</th>'
        for one in (*review.columns, *NOTE_COLUMNS)
    )
    summaries = {summary.box: summary for summary in review.turn_summaries}
    if review.entries:
        rows = [render_row(review, summaries.get(box), box, points, say, changes) for box, points in review.entries]
    else:
        rows = [render_row(review, summary, None, None, say, changes) for summary in review.turn_summaries]
    style = "" if review.entries else " rounds"
    return f'<table class="sheet{style}"><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table>'


def render_row(
    review: Review,
    summary: TurnSummary | None,
    box: str | None,
    points: int | None,
    say: Translate,
    changes: Mapping[int, float],
) -> str:
    """Render one row: its turn, its entry, its luck, and the notes about the decisions of that turn."""
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
    notes = [
        render_note(decision, say, changes.get(decision.event_number))
        for decision in review.flawed_decisions
        if decision.turn == turn
    ]
    if any(event.kind == UNSEEN and event.turn == turn for event in review.luck_events):
        notes.append(f'<p class="small">{render_text(say, phrase("coach.report.not_seen"))}</p>')
    if any(event.kind == AGAINST_RULES and event.turn == turn for event in review.luck_events):
        notes.append(f'<p class="small">{render_text(say, phrase("coach.report.anyway"))}</p>')
    return f'<tr><td class="small">{turn or ""}</td>{name}{entry}{luck}<td class="notes">{"".join(notes)}</td></tr>'


def choose_luck_style(luck: float) -> str:
    """Choose the colour of luck; the sign tells it to those who do not see colours."""
    return "good" if luck > 0 else "bad"


def render_note(decision: Decision, say: Translate, change: float | None) -> str:
    why = say(REASON_SEPARATOR).join(say(reason) for reason in decision.reasons)
    grade = render_text(say, phrase(f"coach.grade.{decision.grade}"))
    cost, choice = render_figure(say, FormattedNumber(decision.loss, 2)), render_text(say, describe_choice(decision))
    to_win = describe_choice_change(change)
    both = f"{cost} ({render_text(say, to_win)})" if to_win else cost
    return f'<p class="note"><b>&minus;{both}</b> {grade}. {choice} <q>{escape(why, quote=False)}</q></p>'


def describe_choice(decision: Decision) -> Phrase:
    """Describe a decision in the row of its turn."""
    dice = " ".join(map(str, decision.dice))
    if not dice:
        return phrase("coach.report.noted_first", played=decision.played, best=decision.best)
    return phrase("coach.report.noted", dice=dice, played=decision.played, best=decision.best)


def describe_decision(review: Review, decision: Decision) -> Phrase:
    """Describe a decision where nothing else says which turn it was in."""
    where = phrase(f"coach.report.in_{review.unit}", turn=decision.turn)
    if not decision.dice:
        return phrase("coach.report.decision_first", where=where, played=decision.played, best=decision.best)
    dice = " ".join(map(str, decision.dice))
    return phrase("coach.report.decision", where=where, dice=dice, played=decision.played, best=decision.best)


def describe_position(review: Review, decision: Decision) -> Phrase:
    """Describe where a decision had to be made, without what was played."""
    where, dice = phrase(f"coach.report.in_{review.unit}", turn=decision.turn), " ".join(map(str, decision.dice))
    return phrase("coach.report.position", where=where, dice=dice) if dice else where


def render_course(review: Review, say: Translate) -> str:
    """Draw the expected total after each turn, and below it the luck of each turn."""
    if not review.turn_summaries:
        return ""
    par, values = review.par_at_start, [summary.value for summary in review.turn_summaries]
    drawn = [par, *values]
    low, high = min(drawn), max(drawn)
    step = (CHART_WIDTH - 2 * CHART_MARGIN) / len(values)

    def scale_x(place: float) -> float:
        return CHART_MARGIN + step * place

    def scale_y(value: float) -> float:
        return 12 + (CHART_HEIGHT - 24) * (high - value) / ((high - low) or 1)

    line = " ".join(f"{scale_x(place):.1f},{scale_y(value):.1f}" for place, value in enumerate(drawn))
    dots = "".join(
        f'<circle class="dot" cx="{scale_x(place):.1f}" cy="{scale_y(value):.1f}" r="3"/>'
        for place, value in enumerate(drawn)
    )
    most = max(abs(one.luck) for one in review.turn_summaries) or 1
    floor = CHART_HEIGHT + LUCK_BAR_HEIGHT / 2
    bars = "".join(
        render_luck_bar(one, scale_x(place + 0.5), floor, most) for place, one in enumerate(review.turn_summaries)
    )
    labels = "".join(
        f'<text x="{scale_x(place + 1):.1f}" y="{CHART_HEIGHT + LUCK_BAR_HEIGHT + 16}">{one.turn}</text>'
        for place, one in enumerate(review.turn_summaries)
    )
    about = render_text(
        say, phrase("coach.report.course_about", par=format_number(par, 1), final=format_number(values[-1], 1))
    )
    rolls = [render_text(say, extreme) for extreme in describe_luck_extremes(review)]
    return (
        f"<h2>{render_text(say, phrase('coach.report.course'))}</h2><figure>"
        f'<svg viewBox="0 0 {CHART_WIDTH} {CHART_HEIGHT + LUCK_BAR_HEIGHT + 20}" role="img" aria-label="{about}">'
        f'<path class="par" d="M{CHART_MARGIN} {scale_y(par):.1f}H{CHART_WIDTH - CHART_MARGIN}"/>'
        f'<path class="axis" d="M{CHART_MARGIN} {floor}H{CHART_WIDTH - CHART_MARGIN}"/>'
        f'<polyline class="course" points="{line}"/>{dots}{bars}{labels}</svg>'
        f"<figcaption>{' '.join([about, *rolls])}</figcaption></figure>"
    )


def render_luck_bar(summary: TurnSummary, middle: float, floor: float, most: float) -> str:
    """Draw the luck of a turn as a bar, up or down from the baseline."""
    height = abs(summary.luck) / most * LUCK_BAR_HEIGHT / 2
    top = floor - height if summary.luck > 0 else floor
    style = "up" if summary.luck > 0 else "down"
    return f'<rect class="{style}" x="{middle - 2:.1f}" y="{top:.1f}" width="14" height="{height:.1f}"/>'


def describe_luck_extremes(review: Review) -> list[Phrase]:
    """Describe the luckiest and the unluckiest roll."""
    rolls = [event for event in review.luck_events if event.kind == DICE]
    if not rolls:
        return []
    by_luck = attrgetter("luck")
    extremes = {"coach.report.luckiest": max(rolls, key=by_luck), "coach.report.unluckiest": min(rolls, key=by_luck)}
    return [
        phrase(
            key,
            where=phrase(f"coach.report.in_{review.unit}", turn=roll.turn),
            dice=" ".join(map(str, roll.dice)),
            luck=format_signed(roll.luck),
            grade=phrase(f"coach.luck.{roll.grade}"),
        )
        for key, roll in extremes.items()
    ]


def render_players(reviews: Sequence[tuple[str, Review]], chosen: int, say: Translate) -> str:
    head = "".join(
        f'<th scope="col" class="{"" if one in ("player", "how") else "number"}">'
        f"{render_text(say, phrase(f'coach.report.{one}'))}</th>"
        for one in PLAYER_COLUMNS
    )
    rows = [
        f'<tr{" class=now" if place == chosen else ""}><th scope="row">{escape(name)}</th>'
        + "".join(f'<td class="number">{render_figure(say, one)}</td>' for one in format_ledger(review.headlines[0]))
        + f"<td>{render_text(say, name_level(review))}</td></tr>"
        for place, (name, review) in enumerate(reviews)
    ]
    return f'<table class="players"><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table>'
