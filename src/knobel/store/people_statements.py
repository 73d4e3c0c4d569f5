"""Writes about people and results as named statements, the same for both databases."""

from collections.abc import Iterator

from knobel.store.learning import LearningWrite, PutAnswer, PutCard, PutMistakes, StoredAnswer, StoredMistake
from knobel.store.people import (
    AddPerson,
    ChangePerson,
    ErasePerson,
    HoldPerson,
    MarkCounted,
    MarkStale,
    MergePeople,
    PeopleWrite,
    PutPersonCode,
    PutPlayer,
    PutResults,
    PutReview,
    PutSummary,
    ReplaceResults,
    ResetSummaries,
    ResultRow,
    UsePersonCode,
)
from knobel.store.schema import Statement


def list_values(row: ResultRow | StoredMistake | StoredAnswer) -> tuple[object, ...]:
    """List the values of a row in the order of its columns; `astuple` would copy each of them."""
    return tuple(getattr(row, name) for name in row.__slots__)


def plan_people_statements(write: PeopleWrite | LearningWrite) -> Iterator[Statement]:
    match write:
        case AddPerson(person, name, colour, emblem, at):
            yield "insert_person", (person, name, colour, emblem, at), True
        case ChangePerson(person, name, colour, emblem, is_hidden):
            yield "update_person", (name, colour, emblem, int(is_hidden), person), True
        case HoldPerson(identity, person):
            yield "insert_holder", (identity, person), False
        case PutPlayer(game, seat, person):
            yield "put_player", (game, seat, person), True
        case MergePeople(person, into):
            yield from plan_merge(person, into)
        case ErasePerson(person, stand_in):
            yield "erase_names", (stand_in, person, person), False
            yield "erase_results", (person,), False
            yield "delete_person_players", (person,), False
            yield from plan_removal(person)
        case PutPersonCode(code, person, expires, at):
            yield "delete_person_codes", (person, at), False
            yield "insert_person_code", (code, person, expires), True
        case UsePersonCode(code, at):
            yield "use_person_code", (code, at), True
        case _:
            yield from plan_result_statements(write)


def plan_result_statements(
    write: PutResults
    | ReplaceResults
    | ResetSummaries
    | PutReview
    | PutSummary
    | MarkCounted
    | MarkStale
    | LearningWrite,
) -> Iterator[Statement]:
    match write:
        case PutResults(rows, names):
            yield from (("insert_result", list_values(row), False) for row in rows)
            named = zip(rows, names, strict=False)
            yield from (("insert_name", (row.game, row.seat, name), False) for row, name in named)
        case ReplaceResults(game, rows):
            yield "delete_results", (game,), False
            yield from (("insert_result", list_values(row), True) for row in rows)
        case ResetSummaries():
            yield "uncount_results", (), False
            yield "delete_all_summaries", (), False
        case PutReview(game, seat, luck, lost, level):
            yield "update_review", (luck, lost, level, game, seat), True
        case PutSummary(one):
            if one.version:
                yield "update_summary", (one.body, one.person, one.other, one.edition, one.version), True
            else:
                yield "insert_summary", (one.person, one.other, one.edition, one.body), True
        case MarkCounted(game, seat, before, now):
            yield "mark_counted", (now, game, seat, before), True
        case MarkStale(person, is_stale):
            yield "update_stale", (int(is_stale), person), False
        case _:
            yield from plan_learning_statements(write)


def plan_learning_statements(write: LearningWrite) -> Iterator[Statement]:
    match write:
        case PutMistakes(game, seat, rows):
            yield from (("insert_mistake", list_values(row), False) for row in rows)
            yield "mark_searched", (game, seat), False
        case PutCard(one, card, due):
            yield "update_card", (card, due, one.person, one.game, one.event, one.card), True
        case PutAnswer(answer):
            yield "insert_answer", list_values(answer), False


def plan_merge(person: str, into: str) -> Iterator[Statement]:
    """Plan to give away the games of a person; who holds them holds the other one then."""
    yield "update_stale", (1, into), True
    yield "move_players", (into, person), False
    yield "move_results", (into, person), False
    yield "move_mistakes", (into, person), False
    yield "copy_answers", (into, person), False
    yield "share_holders", (into, person), False
    yield "delete_summaries", (into, into), False
    yield from plan_removal(person)


def plan_removal(person: str) -> Iterator[Statement]:
    """Plan to delete somebody who has no games any more."""
    yield "delete_person", (person,), True
    yield "delete_holders", (person,), False
    yield "delete_person_codes", (person, 0.0), False
    yield "delete_person_mistakes", (person,), False
    yield "delete_answers", (person,), False
    yield "delete_summaries", (person, person), False
