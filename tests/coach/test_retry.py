"""A decision tried again: every choice is judged as the review judges it, and what is no choice is refused."""

import io
from pathlib import Path

import pytest

from knobel.cli import main
from knobel.coach.retry import describe_retry, find_win_change, judge_choice
from knobel.coach.review import review_seat
from knobel.coach.win_chart import chart_wins
from knobel.errors import IllegalAction, KnobelError, NoSuchDecision
from knobel.record.file import parse_record
from knobel.record.replay import replay_record

RECORDS = Path(__file__).parents[1] / "records" / "format-3"
LIVELY = RECORDS / "lively.knobel"


@pytest.mark.parametrize("name", ["lively", "chicago"])
def test_the_choices_of_the_game_are_judged_as_in_its_review(name: str) -> None:
    record = parse_record((RECORDS / f"{name}.knobel").read_bytes(), name)
    replay = replay_record(record, name)
    judged = 0
    for seat in range(len(record.header.seats)):
        for decision in review_seat(record, replay, seat).decisions:
            again = judge_choice(replay, seat, decision.event_number, decision.action)
            assert again is not None
            assert (again.loss, again.best, again.reasons) == (decision.loss, decision.best, decision.reasons)
            best = judge_choice(replay, seat, decision.event_number, decision.best_action)
            assert best is None or best.loss == pytest.approx(0)
            choices = describe_retry(replay, seat, decision.event_number)
            assert choices.can_roll or decision.best_action in {one.action for one in choices.choices}
            judged += 1
    assert judged > 10


def test_what_a_choice_does_to_the_chance_to_win_is_what_the_chart_says() -> None:
    replay = replay_record(parse_record(LIVELY.read_bytes(), ""), "")
    for seat, changes in enumerate(map(chart_wins(replay).find_choice_changes, range(3))):
        for number, change in changes.items():
            step = next(one for one in replay.track(seat).steps if one.number == number)
            found = find_win_change(replay, seat, number, step.event.action)  # type: ignore[union-attr]
            assert found == pytest.approx(change)


@pytest.mark.parametrize(
    ("event", "action", "refusal"),
    [
        (4, "chance", NoSuchDecision),
        (999, "..", NoSuchDecision),
        (None, "twins", IllegalAction),
        (None, "nonsense!", KnobelError),
    ],
)
def test_what_is_no_choice_is_refused(event: int | None, action: str, refusal: type[KnobelError]) -> None:
    record = parse_record(LIVELY.read_bytes(), "")
    replay = replay_record(record, "")
    number = event or review_seat(record, replay, 0).flawed_decisions[0].event_number
    with pytest.raises(refusal):
        judge_choice(replay, 1 if event == 4 else 0, number, action)


def test_mistakes_are_tried_again_in_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("a\n0\n3\n\n5\n"))
    assert main(["review", str(LIVELY), "--retry"]) == 0
    said = capsys.readouterr().out
    assert "That is the best choice." in said
    assert "passes up 4 in Both even" in said
    assert "“3” is none of the choices here" in said
    assert "−0.50 (−4.1% to win) inaccuracy. keep 5; best: score 9 in Chance." in said
