"""Every family of games goes through everything, and a tiny one that lives only in the tests goes with them."""

import json
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import pytest

from knobel.cli import main
from knobel.coach.families import FAMILIES as COACH_FAMILIES
from knobel.coach.report import render_report
from knobel.coach.review import review_seat
from knobel.game import CHANCE
from knobel.games.families import build_game
from knobel.host.record_edition import rebuild_edition
from knobel.lab import make_table_env
from knobel.lang import Translator
from knobel.paper.families import lay_out_game, lay_out_pad
from knobel.paper.pad import PadOptions
from knobel.paper.render import render_pdf
from knobel.paper.rules_page import build_rules_page
from knobel.phrase import phrase
from knobel.record.events import Record, Seat
from knobel.record.file import load_record
from knobel.record.replay import replay_record
from knobel.record.verify import verify
from knobel.rules import load_edition
from knobel.rules.families import FAMILIES, Rules
from knobel.rules.leaflet import build_articles, cite_article, list_specials, list_switches
from knobel.table import Table
from knobel.view.narration import narrate
from knobel.view.turns import draw_turn
from knobel.web.messages import encode_game, encode_position, encode_turn
from tests.coach.test_review import coach_of
from tests.support import tiny_family
from tests.support.house_rules import EXAMPLES
from tests.support.played_tables import apply_actions, encode_record, open_table, play_moves, reveal_seeds

SRC = Path(__file__).parents[1] / "src" / "knobel"


@dataclass(frozen=True)
class Sample:
    """An edition of a family; a turn of real dice, the name it is corrected by, and how it goes instead."""

    edition: str
    turn: tuple[str, ...]
    name: str
    corrected: tuple[str, ...]


SAMPLES = {
    "sheet": Sample(str(EXAMPLES / "two-dice.toml"), ("=66", "twins"), "twins", ("=65", "twins")),
    "rounds": Sample("carlit-chicago", ("=661:3", "stand over"), "1", ("=651:3", "stand over")),
    tiny_family.FAMILY: Sample("highest.toml", ("=5", "stand"), "1", ("=6", "stand")),
}
PEOPLE = (Seat("Zoë", real_dice=True), Seat("Łukasz"), Seat("Bot", "greedy"))


@pytest.fixture(autouse=True)
def _third_family(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Register the tiny family, and lay its edition where it is found."""
    tiny_family.register(monkeypatch)
    (tmp_path / "highest.toml").write_text(tiny_family.EDITION)
    monkeypatch.chdir(tmp_path)


@pytest.fixture(params=SAMPLES)
def family(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def sample(family: str) -> Sample:
    return SAMPLES[family]


def begin(sample: Sample) -> Table:
    """Begin a game in which a person with real dice has had the first turn."""
    table = open_table(sample.edition, PEOPLE, first=0)
    reveal_seeds(table, sample.edition)
    apply_actions(table, 0, *sample.turn)
    return table


@pytest.fixture
def table(sample: Sample) -> Table:
    """Play a whole game."""
    table = begin(sample)
    table.apply(table.decide_correction(0, sample.name, sample.corrected))
    play_moves(table, Random(1))
    table.apply(table.decide_end())
    return table


def test_every_family_has_a_sample() -> None:
    assert set(FAMILIES) == set(SAMPLES)


def test_every_table_of_families_has_every_family() -> None:
    names = [".".join(("knobel", *path.relative_to(SRC).with_suffix("").parts)) for path in SRC.rglob("families.py")]
    assert len(names) >= 9
    for name in names:
        tables = [value for key, value in vars(import_module(name)).items() if key in ("FAMILIES", "RECORD_FAMILIES")]
        assert all(set(table) == set(SAMPLES) for table in tables), name
        assert tables, name


def test_a_table_of_programs_plays_it_to_its_end(sample: Sample) -> None:
    table = make_table_env(sample.edition)
    table.reset(seed=3)
    for _ in table.agent_iter():
        observation, _, ended, cut_off, _ = table.last()
        table.step(None if ended or cut_off else int(observation["action_mask"].argmax()))
    assert table.agents == []


def test_rules_read_back_and_are_put_into_words(family: str, sample: Sample) -> None:
    edition = load_edition(sample.edition)
    rules: Rules = edition.rules()
    assert rules.family == edition.family == family
    assert build_game(rules.as_dict).rules == rules
    words = Translator("de", edition)
    articles = build_articles(edition, edition.default_text, {})
    assert articles
    for article in articles:
        assert words.translate(article.phrase)
        assert words.translate(cite_article(edition, edition.default_text, article))
    assert all(words.translate(special) for special in list_specials(edition))
    assert {state.name for state in list_switches(edition, edition.default_text, {})} == set(edition.switch_values)
    assert words.translate(FAMILIES[family].describe_players(rules))


def test_a_game_is_played_corrected_recorded_and_verified(table: Table, tmp_path: Path) -> None:
    assert table.replay.is_over
    outcome = table.replay.outcome
    assert outcome is not None
    assert sorted(seat for group in outcome.places for seat in group) == [0, 1, 2]
    content = encode_record(table.record)
    verdict = verify(content, "game")
    assert (verdict.line, verdict.is_unfinished, verdict.corrected_turns) == (None, False, 1)
    path = tmp_path / "game.knobel"
    path.write_bytes(content)
    again = replay_record(load_record(path), "game")
    assert again.outcome == outcome
    assert again.state == table.state


def test_what_was_played_can_be_undone(sample: Sample) -> None:
    table = begin(sample)
    before = table.state
    table.apply(table.decide_undo(0))
    assert table.state != before
    apply_actions(table, 0, sample.turn[-1])
    assert table.state == before


def test_a_position_is_drawn_and_narrated_in_every_state(family: str, sample: Sample) -> None:
    table = open_table(sample.edition, PEOPLE, first=0)
    reveal_seeds(table, sample.edition)
    words, random = Translator("de", rebuild_edition(table.header)), Random(1)
    printed = json.loads(encode_game(table, "de"))
    assert (printed["is"], printed["family"]) == ("game", family)
    said = []
    while not table.replay.is_over:
        play_moves(table, random, most=1)
        step = table.replay.steps[-1]
        said += [words.translate(sentence) for sentence in narrate(table, step)]
        drawn = json.loads(encode_position(table, "de", (step,)))
        assert (drawn["is"], drawn["family"]) == ("position", family)
        assert drawn["view"]
    assert said


def test_a_turn_of_real_dice_is_shown_before_it_is_corrected(family: str, sample: Sample) -> None:
    table = begin(sample)
    shown = json.loads(encode_turn("command", table, "en", 0, sample.name, ""))
    assert (shown["is"], shown["family"]) == ("turn", family)
    assert draw_turn(table, 0, sample.name, "", Translator("en").translate)
    before = table.state
    table.apply(table.decide_correction(0, sample.name, sample.corrected))
    assert table.state != before
    told = narrate(table, table.replay.steps[-1]) or (phrase("interface.play.undone"),)
    assert all(Translator("en", rebuild_edition(table.header)).translate(sentence) for sentence in told)


def test_pads_rules_and_played_games_are_printed(sample: Sample, table: Table) -> None:
    edition = load_edition(sample.edition)
    words = Translator("en", edition)
    pages = [
        lay_out_pad(edition.rules(), words, edition.title, edition.publisher, PadOptions()),
        lay_out_game(table.replay, Translator("en", rebuild_edition(table.header)), table.head),
    ]
    for page in pages:
        assert render_pdf(page.template, page.page).startswith(b"%PDF")
    assert render_pdf("leaf", build_rules_page(edition, edition.default_text, {}, words)).startswith(b"%PDF")


@pytest.mark.solve
def test_every_seat_is_reviewed(table: Table) -> None:
    record: Record = table.record
    reviews = [(seat.name, review_seat(record, table.replay, place, coach_of)) for place, seat in enumerate(PEOPLE)]
    for _, review in reviews:
        assert review.final == pytest.approx(review.par + review.luck - review.lost)
    words = Translator("en", rebuild_edition(table.header))
    assert "<html" in render_report(table.header.edition.title, table.header.game, reviews, 0, "en", words.translate)


@pytest.mark.solve
def test_the_coach_advises_wherever_a_person_is_to_move(family: str, sample: Sample) -> None:
    table, random = begin(sample), Random(2)
    coach_family = COACH_FAMILIES[family]
    given = 0
    for _ in range(8):
        track, state = table.replay.track(0), table.state
        if state.seat is None:
            break
        if state.seat != CHANCE:
            rules = coach_family.find_rules(track.game, state.seat)
            advice = coach_family.advise(track.game, state, coach_of(rules) if rules else None)
            assert all(one.loss >= 0 for one in advice)
            given += len(advice)
        play_moves(table, random, most=1)
    assert given


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[[str], str]:
    def typed(line: str) -> str:
        code = main(shlex.split(line))
        out, wrong = capsys.readouterr()
        assert code == 0, wrong
        return out

    return typed


@pytest.mark.parametrize("command", ["check", "rules", "rules --json", "pad --output pad.pdf"])
def test_the_terminal_describes_every_family(run: Callable[[str], str], sample: Sample, command: str) -> None:
    name, *options = command.split()
    assert run(f"{name} {shlex.quote(sample.edition)} --lang en {' '.join(options)}") or Path("pad.pdf").exists()


def test_the_terminal_replays_and_prints_every_family(run: Callable[[str], str], table: Table) -> None:
    Path("game.knobel").write_bytes(encode_record(table.record))
    shown: dict[str, Any] = json.loads(run("replay game.knobel --json"))
    assert [player["name"] for player in shown["players"]] == [seat.name for seat in PEOPLE]
    assert "Zoë" in run("replay game.knobel --lang en")
    run("print game.knobel --output game.pdf")
    assert Path("game.pdf").read_bytes().startswith(b"%PDF")


def test_a_family_nobody_registered_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(FAMILIES, tiny_family.FAMILY)
    with pytest.raises(Exception, match="highest"):
        load_edition("highest.toml").rules()
