"""`knobel tournament`: how a tournament stands, and who plays whom in the next round."""

import asyncio
from pathlib import Path

from knobel.cli.aligned_rows import align_rows
from knobel.cli.parser import JSON, LANG, Argument, Command, Given
from knobel.cli.screen import say, say_json, say_paragraph
from knobel.client.address import parse_tournament_link
from knobel.client.requests import ServerRequests
from knobel.errors import TournamentLinkInvalid
from knobel.host.tournament_file import load_tournament, read_tournament
from knobel.lang import Translator, choose_language
from knobel.phrase import FormattedNumber
from knobel.rules.fields import abbreviate
from knobel.tournament.standings import Pair
from knobel.tournament.tournament import Tournament


def run(given: Given) -> None:
    """Show standings and pairings of a tournament file."""
    words = Translator(choose_language(given.read_value("lang")))
    tournament = find_tournament(given.required("tournament"), words.lang)
    if given.has("json"):
        say_json(build_json(tournament))
        return
    played = len(tournament.played)
    say(words("interface.tournament.after", title=tournament.title, n=played, rounds=tournament.rounds))
    say()
    for line in align_rows(list_rows(tournament, words), 1):
        say(line)
    say()
    if not tournament.next_pairs:
        say_paragraph(words("interface.tournament.over" if tournament.is_over else "web.tournament.nobody"))
        return
    say(words("interface.tournament.next", n=played + 1))
    for pair in tournament.next_pairs:
        say(f"  {describe_pair(pair, tournament, words)}")


def find_tournament(named: str, lang: str) -> Tournament:
    """Read a tournament from a file, or from a server if a link to it is given."""
    link = parse_tournament_link(named)
    if link is None and "://" in named:
        raise TournamentLinkInvalid(value=abbreviate(named))
    if link is None:
        return load_tournament(Path(named))
    origin, tournament = link
    content = asyncio.run(ServerRequests(origin, lang).fetch_tournament(tournament))
    return read_tournament(content, named, tournament)


def list_rows(tournament: Tournament, words: Translator) -> list[list[str]]:
    """List the standings as rows of a table, with its heads."""
    heads = [
        words("interface.tournament.player"),
        words("interface.tournament.points"),
        words("interface.tournament.buchholz"),
        words("interface.tournament.difference"),
    ]
    rows = [
        [
            f"{one.place}.",
            tournament.players[one.player],
            str(one.points),
            str(one.buchholz),
            words.format_number(FormattedNumber(one.difference, signed=one.difference > 0)),
        ]
        for one in tournament.standings
    ]
    return [["", *heads], *rows]


def describe_pair(pair: Pair, tournament: Tournament, words: Translator) -> str:
    name = tournament.players[pair.first]
    if pair.second is None:
        return words("interface.tournament.bye", name=name)
    return words("interface.tournament.pair", name=name, other=tournament.players[pair.second])


def build_json(tournament: Tournament) -> dict[str, object]:
    """Describe a tournament as JSON."""
    players = tournament.players
    return {
        "title": tournament.title,
        "system": tournament.system,
        "rounds": tournament.rounds,
        "played": [
            {
                "pairs": [name_pair(pair, players) for pair in one.pairs],
                "totals": dict(zip(players, one.totals, strict=True)),
            }
            for one in tournament.played
        ],
        "standings": [
            {
                "place": one.place,
                "name": players[one.player],
                "points": one.points,
                "buchholz": one.buchholz,
                "difference": one.difference,
                "total": one.total,
            }
            for one in tournament.standings
        ],
        "next": [name_pair(pair, players) for pair in tournament.next_pairs],
        "over": tournament.is_over,
    }


def name_pair(pair: Pair, players: tuple[str, ...]) -> list[str | None]:
    return [None if player is None else players[player] for player in pair]


COMMAND = Command("tournament", (Argument("tournament"),), (LANG, JSON), run)
