"""Answers about people: their statistics beside perfect play, head to head, and the records of their tables."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from knobel.extras import SOLVER, find_missing
from knobel.host.integrity import read_header
from knobel.host.play_history import PlayHistory
from knobel.record.events import Header
from knobel.record.replay import set_up_game
from knobel.stats.answers import PerfectPlay
from knobel.stats.documents import decode_summary
from knobel.stats.summary import Summary, merge_table_records
from knobel.stats.versus import Versus
from knobel.store.people import GameFilter, NamedResult


@dataclass(frozen=True, slots=True)
class EditionSample:
    """A game of an edition: how it is called, and what was agreed, where its log is there."""

    title: str
    family: str
    header: Header | None = None


@dataclass(frozen=True, slots=True)
class EditionStatistics:
    """What is known of a person in one edition."""

    edition: str
    sample: EditionSample
    summary: Summary
    perfect: PerfectPlay | None


class StatisticsAnswers:
    """Answers from the summaries, which it brings up to date first."""

    def __init__(self, history: PlayHistory) -> None:
        self.history = history
        self.store = history.store
        self.keeper = history.keeper

    async def find_statistics(self, person: str, edition: str = "") -> list[EditionStatistics]:
        """Find the statistics of a person, most games first; of everybody, if no person is named."""
        await self.keeper.catch_up()
        found = []
        for stored in await self.store.list_summaries(person):
            if edition in ("", stored.edition):
                sample = await self.find_sample(person, stored.edition)
                summary = decode_summary(stored.body, Summary)
                found.append(EditionStatistics(stored.edition, sample, summary, await load_perfect_play(sample)))
        return sorted(found, key=lambda one: (-one.summary.games, one.edition))

    async def find_sample(self, person: str, edition: str) -> EditionSample:
        """Find the last game of an edition."""
        for _, game in await self.store.list_result_games(GameFilter(person, edition, limit=1)):
            rows = await self.store.list_results([game])
            stored = await self.store.find_game(game)
            header = None if stored is None else read_header(stored)
            return EditionSample(rows[0].row.title, rows[0].row.family, header)
        return EditionSample(edition, "")

    async def find_versus(self, person: str, other: str) -> list[tuple[str, EditionSample, Versus]]:
        """Find how two people did against each other, by edition."""
        await self.keeper.catch_up()
        found = []
        for stored in await self.store.list_pair_summaries(person, other):
            sample = await self.find_sample(person, stored.edition)
            found.append((stored.edition, sample, decode_summary(stored.body, Versus)))
        return sorted(found, key=lambda one: (-one[2].games, one[0]))

    async def find_table_records(
        self, people: Sequence[str], edition: str = ""
    ) -> list[tuple[str, EditionSample, Summary]]:
        """Find the records at the tables of some people, by edition; of all tables, if nobody is named."""
        await self.keeper.catch_up()
        by_edition: dict[str, list[Summary]] = {}
        for person in people or ("",):
            for stored in await self.store.list_summaries(person):
                if edition in ("", stored.edition):
                    by_edition.setdefault(stored.edition, []).append(decode_summary(stored.body, Summary))
        found = []
        for name, summaries in sorted(by_edition.items()):
            person = people[0] if people else ""
            found.append((name, await self.find_sample(person, name), merge_table_records(summaries)))
        return found

    async def name_records(self, games: Sequence[str]) -> dict[tuple[str, int], NamedResult]:
        """Find who sat where in the games of records."""
        found = await self.store.list_results(sorted(set(games))) if games else ()
        return {(one.row.game, one.row.seat): one for one in found}


async def load_perfect_play(sample: EditionSample) -> PerfectPlay | None:
    """Load what perfect play gets by the rules of a game, where that was solved before."""
    if sample.header is None or find_missing(SOLVER):
        return None
    return await asyncio.to_thread(load_baseline_of, sample.header)


def load_baseline_of(header: Header) -> PerfectPlay | None:
    from knobel.coach.families import find_family
    from knobel.coach.sheet import load_baseline

    game, _ = set_up_game(header)
    rules = find_family(game).find_rules(game, 0)
    found = None if rules is None else load_baseline(rules)
    return None if found is None else PerfectPlay(found.par, found.sd, found.bonus_chance, dict(found.boxes))
