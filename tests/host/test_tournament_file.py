"""Tournament files: read with their rounds, refused with an example, shown by the command."""

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knobel.cli import main
from knobel.errors import (
    KnobelError,
    RecordUnfinished,
    TournamentKeyInvalid,
    TournamentKeyUnknown,
    TournamentPlayersInvalid,
    TournamentPlayerUnknown,
    TournamentTooLong,
)
from knobel.host.tournament_file import load_tournament, read_tournament, write_tournament
from knobel.record.events import Seat
from knobel.rules.fields import clean_text
from knobel.tournament.standings import Pair
from knobel.tournament.tournament import Tournament
from tests.support.played_tables import encode_table, open_table, play_moves, reveal_seeds

CLUB = Path(__file__).parents[2] / "examples" / "tournaments" / "club.toml"
THREE = 'players = ["Ada", "Ben", "Cleo"]\n'


def write_file(folder: Path, text: str) -> Path:
    path = folder / "club.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_example_stands_as_its_results_say_and_nobody_meets_twice() -> None:
    club = load_tournament(CLUB)
    assert (club.title, club.system, club.rounds, len(club.played)) == ("Club evening", "swiss", 3, 2)
    met = [frozenset(pair) for one in club.played for pair in one.pairs] + [frozenset(pair) for pair in club.next_pairs]
    assert len(set(met)) == len(met) == 9
    assert club.players[club.standings[0].player] == "Cleo"


def test_a_round_robin_has_as_many_rounds_as_needed(tmp_path: Path) -> None:
    club = load_tournament(write_file(tmp_path, f'system = "round_robin"\n{THREE}'))
    assert (club.rounds, club.title) == (3, "club")
    for number in range(3):
        assert len(club.next_pairs) == 2
        club = club.play_round((100 + number, 90, 80))
    assert club.next_pairs == ()
    assert [one.points for one in club.standings] == [6, 4, 2]


def test_a_round_can_be_read_from_the_record_of_its_duplicate_game(tmp_path: Path) -> None:
    table = open_table("noris-yatzy", (Seat("Ada"), Seat("Ben"), Seat("Bot", "greedy"), Seat("Cleo")), duplicate=True)
    reveal_seeds(table, "noris-yatzy")
    record = tmp_path / "round-1.knobel"
    record.write_bytes(encode_table(table))
    path = write_file(tmp_path, f'{THREE}[[round]]\nrecord = "round-1.knobel"\n')
    with pytest.raises(RecordUnfinished):
        load_tournament(path)
    play_moves(table, Random(1))
    table.apply(table.decide_end())
    record.write_bytes(encode_table(table))
    outcome = table.replay.outcome
    assert outcome is not None
    assert load_tournament(path).played[0].totals == (outcome.totals[0], outcome.totals[1], outcome.totals[3])


@pytest.mark.parametrize(
    ("text", "error", "named"),
    [
        ("", TournamentKeyInvalid, "players"),
        ('players = "Ada"', TournamentKeyInvalid, "players"),
        ('players = ["Ada", 5]', TournamentKeyInvalid, "players"),
        ('players = ["Ada"]', TournamentPlayersInvalid, 1),
        ('players = ["Ada", "Ada"]', TournamentPlayersInvalid, 1),
        (f'{THREE}sytem = "swiss"', TournamentKeyUnknown, "sytem"),
        (f"{THREE}[[round]]\ntotal = {{ Ada = 1 }}", TournamentKeyUnknown, "total"),
        (f'{THREE}system = "knockout"', TournamentKeyInvalid, "system"),
        (f"{THREE}rounds = 0", TournamentKeyInvalid, "rounds"),
        (f"{THREE}rounds = true", TournamentKeyInvalid, "rounds"),
        (f"{THREE}rounds = 4", TournamentTooLong, 4),
        (f"{THREE}title = 5", TournamentKeyInvalid, "title"),
        (f"{THREE}round = 5", TournamentKeyInvalid, "round"),
        (f"{THREE}round = [5]", TournamentKeyInvalid, "round"),
        (f"{THREE}[[round]]", TournamentKeyInvalid, "totals"),
        (f"{THREE}[[round]]\ntotals = {{ Ada = -1 }}", TournamentKeyInvalid, "totals"),
        (f"{THREE}[[round]]\ntotals = {{ Ada = true }}", TournamentKeyInvalid, "totals"),
        (f"{THREE}[[round]]\ntotals = {{ Dan = 1 }}", TournamentPlayerUnknown, "Dan"),
        (f"{THREE}[[round]]\nrecord = 5", TournamentKeyInvalid, "record"),
        (f"{THREE}absent = 5", TournamentKeyInvalid, "absent"),
        (f'{THREE}absent = ["Dan"]', TournamentPlayerUnknown, "Dan"),
        (f'{THREE}[[round]]\nabsent = ["Dan"]\ntotals = {{}}', TournamentPlayerUnknown, "Dan"),
        (f'{THREE}[[round]]\npairs = ["Ada"]\ntotals = {{}}', TournamentKeyInvalid, "pairs"),
        (f'{THREE}[[round]]\npairs = [["Ada", "Dan"]]\ntotals = {{}}', TournamentPlayerUnknown, "Dan"),
        (f'{THREE}[[round]]\npairs = [["Ada", "Ben"], ["Ada"]]\ntotals = {{}}', TournamentKeyInvalid, "pairs"),
        (f'{THREE}[[round]]\npairs = [["Ada", "Ben", "Cleo"]]\ntotals = {{}}', TournamentKeyInvalid, "pairs"),
        (f"{THREE}rounds = 1\n" + "[[round]]\ntotals = { Ada = 1 }\n" * 2, TournamentTooLong, 2),
    ],
)
def test_what_cannot_be_right_is_refused_in_one_line(
    text: str, error: type[KnobelError], named: object, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_file(tmp_path, text)
    with pytest.raises(error) as refused:
        load_tournament(path)
    assert named in refused.value.values.values()
    assert main(["tournament", str(path)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert "club.toml" in said.err


def test_the_command_shows_standings_and_pairings(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tournament", str(CLUB)]) == 0
    said = capsys.readouterr().out
    assert "Club evening: 2 of 3 rounds played" in said
    assert "Round 3:" in said
    assert "has a bye" in said
    assert "+16\n" in said
    assert "−17\n" in said
    assert main(["tournament", str(CLUB), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert [one["place"] for one in answer["standings"]] == sorted(one["place"] for one in answer["standings"])
    assert len(answer["next"]) == 3
    assert not answer["over"]


def test_a_tournament_with_rounds_left_is_not_over_because_nobody_can_be_paired(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_file(tmp_path, f'{THREE}absent = ["Ada", "Ben", "Cleo"]')
    assert main(["tournament", str(path)]) == 0
    said = capsys.readouterr().out
    assert "Nobody can be paired" in said
    assert "is over" not in said
    assert " 0\n" in said
    assert main(["tournament", str(path), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["next"], answer["over"]) == ([], False)
    path = write_file(tmp_path, f"{THREE}rounds = 1\n[[round]]\ntotals = {{ Ada = 1, Ben = 2 }}")
    assert main(["tournament", str(path)]) == 0
    assert "The tournament is over." in capsys.readouterr().out
    assert main(["tournament", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["over"]


def test_whoever_is_absent_is_not_paired_and_nobody_gets_their_bye(tmp_path: Path) -> None:
    five = 'players = ["Ada", "Ben", "Cleo", "Dan", "Eve"]\n'
    club = load_tournament(write_file(tmp_path, f'{five}absent = ["Ben", "Eve"]'))
    assert sorted(map(list_present, club.next_pairs)) == [(0, 2), (3,)]
    robin = load_tournament(write_file(tmp_path, f'{five}system = "round_robin"\nabsent = ["Ben", "Eve"]'))
    assert sorted(player for pair in robin.next_pairs for player in list_present(pair)) == [0, 2, 3]
    played = f'{five}[[round]]\nabsent = ["Eve"]\ntotals = {{ Ada = 1, Ben = 2, Cleo = 3, Dan = 4 }}'
    after = load_tournament(write_file(tmp_path, played))
    assert after.absent == frozenset()
    assert [one.points for one in after.standings if one.player == 4] == [0]
    assert len(after.played[0].pairs) == 2


def list_present(pair: Pair) -> tuple[int, ...]:
    return tuple(player for player in pair if player is not None)


def test_a_round_that_says_its_pairs_keeps_them_whatever_is_corrected(tmp_path: Path) -> None:
    again = '[[round]]\npairs = [["Ben", "Ada"], ["Cleo"]]\ntotals = {}'
    text = f"{THREE}[[round]]\ntotals = {{ Ada = 1, Ben = 2 }}\n{again}"
    assert load_tournament(write_file(tmp_path, text)).played[1].pairs == (Pair(1, 0), Pair(2))


NAMES = st.text(st.characters(codec="utf-8"), min_size=1, max_size=12)


@settings(max_examples=60, deadline=None)
@given(st.lists(NAMES, min_size=2, max_size=9), NAMES, st.randoms(use_true_random=False))
def test_what_is_written_reads_back(names: list[str], title: str, random: Random) -> None:
    players = tuple(dict.fromkeys(name for typed in names if (name := clean_text(typed)) and len(name) <= 40))
    if len(players) < 2:
        return
    tournament = Tournament(clean_text(title), random.choice(["swiss", "round_robin"]), 1, players)
    if random.random() < 0.5:
        tournament = tournament.play_round(tuple(random.choice([None, 0, 243]) for _ in players))
    tournament = replace(tournament, absent=frozenset(random.sample(range(len(players)), random.randint(0, 1))))
    assert read_tournament(write_tournament(tournament).encode(), "club.toml", "") == tournament
