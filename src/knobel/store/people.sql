-- Statements about people and results, of both databases.

-- insert_person
INSERT INTO people (person, name, colour, emblem, hidden, created) VALUES (?, ?, ?, ?, 0, ?) ON CONFLICT DO NOTHING;

-- update_person
UPDATE people SET name = ?, colour = ?, emblem = ?, hidden = ? WHERE person = ?;

-- update_stale
UPDATE people SET stale = ? WHERE person = ?;

-- delete_person
DELETE FROM people WHERE person = ?;

-- insert_holder
INSERT INTO holders (identity, person) SELECT ?, person FROM people WHERE person = ? ON CONFLICT DO NOTHING;

-- delete_holders
DELETE FROM holders WHERE person = ?;

-- share_holders
INSERT INTO holders (identity, person) SELECT identity, ? FROM holders WHERE person = ? ON CONFLICT DO NOTHING;

-- delete_person_codes
DELETE FROM person_codes WHERE person = ? OR expires <= ?;

-- insert_person_code
INSERT INTO person_codes (code, person, expires) VALUES (?, ?, ?) ON CONFLICT DO NOTHING;

-- use_person_code
DELETE FROM person_codes WHERE code = ? AND expires > ?;

-- find_person_code
SELECT person FROM person_codes WHERE code = ? AND expires > ?;

-- put_player
INSERT INTO players (game, seat, person) VALUES (?, ?, ?) ON CONFLICT (game, seat) DO UPDATE SET person = excluded.person;

-- move_players
UPDATE players SET person = ? WHERE person = ?;

-- move_results
UPDATE results SET person = ? WHERE person = ?;

-- erase_names
UPDATE names SET name = ? WHERE (game, seat) IN (
    SELECT game, seat FROM players WHERE person = ? UNION SELECT game, seat FROM results WHERE person = ?
);

-- delete_person_players
DELETE FROM players WHERE person = ?;

-- erase_results
UPDATE results SET person = NULL WHERE person = ?;

-- delete_players
DELETE FROM players WHERE game = ?;

-- end_reviews
UPDATE results SET reviewed = 1 WHERE game = ? AND reviewed = 0;

-- delete_results
DELETE FROM results WHERE game = ?;

-- uncount_results
UPDATE results SET counted = 0;

-- delete_all_summaries
DELETE FROM summaries;

-- delete_summaries
DELETE FROM summaries WHERE person = ? OR other = ?;

-- insert_result
INSERT INTO results (game, seat, room, person, bot, edition, title, text, fingerprint, family, ended, total, place, players,
    practice, free, assisted, real_dice, imported, counts, detail, luck, lost, level, reviewed, counted)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING;

-- update_review
UPDATE results SET luck = ?, lost = ?, level = ?, reviewed = 1 WHERE game = ? AND seat = ? AND reviewed = 0;

-- mark_counted
UPDATE results SET counted = ? WHERE game = ? AND seat = ? AND counted = ?;

-- insert_summary
INSERT INTO summaries (person, other, edition, version, body) VALUES (?, ?, ?, 1, ?) ON CONFLICT DO NOTHING;

-- update_summary
UPDATE summaries SET version = version + 1, body = ? WHERE person = ? AND other = ? AND edition = ? AND version = ?;

-- find_person
SELECT person, name, colour, emblem, hidden, created, stale FROM people WHERE person = ?;

-- list_people
SELECT person, name, colour, emblem, hidden, created, stale FROM people ORDER BY name, person;

-- list_stale_people
SELECT person, name, colour, emblem, hidden, created, stale FROM people WHERE stale = 1 ORDER BY person;

-- list_held_people
SELECT people.person, name, colour, emblem, hidden, created, stale FROM holders
JOIN people ON people.person = holders.person WHERE identity = ? ORDER BY created, people.person;

-- list_holders
SELECT identity FROM holders WHERE person = ? ORDER BY identity;

-- list_players
SELECT seat, person FROM players WHERE game = ?;

-- list_rooms_of_person
SELECT room FROM rooms WHERE body LIKE ? ORDER BY room;

-- list_person_games
SELECT ended, game FROM results
WHERE person = ? AND (? = '' OR edition = ?) AND ended >= ? AND ended < ? AND (ended, game) < (?, ?)
    AND (? = 0 OR (? = 1 AND place = 1) OR (? = 2 AND place > 1))
    AND (? = '' OR EXISTS (
        SELECT 1 FROM results AS others
        WHERE others.game = results.game AND (others.person || '') = ?
    ))
ORDER BY ended DESC, game DESC LIMIT ?;

-- list_shared_games
SELECT theirs.ended, theirs.game FROM results AS theirs
WHERE theirs.person = ? AND (? = '' OR theirs.edition = ?) AND theirs.ended >= ? AND theirs.ended < ?
    AND (theirs.ended, theirs.game) < (?, ?)
    AND EXISTS (
        SELECT 1 FROM results AS own WHERE own.game = theirs.game AND (own.person || '') = ?
            AND (? = 0 OR (? = 1 AND own.place = 1) OR (? = 2 AND own.place > 1))
    )
ORDER BY theirs.ended DESC, theirs.game DESC LIMIT ?;

-- list_all_games
SELECT ended, game FROM results
WHERE seat = 0 AND (? = '' OR edition = ?) AND ended >= ? AND ended < ? AND (ended, game) < (?, ?)
ORDER BY ended DESC, game DESC LIMIT ?;

-- list_person_results
SELECT game, seat, room, person, bot, edition, title, text, fingerprint, family, ended, total, place, players,
    practice, free, assisted, real_dice, imported, counts, detail, luck, lost, level, reviewed, counted
FROM results WHERE game IN (SELECT own.game FROM results AS own WHERE own.person = ? AND own.counted > 0)
ORDER BY ended, game, seat;

-- list_best_results
SELECT game, total, ended, assisted FROM results WHERE person = ? AND fingerprint = ? AND counts = 1
ORDER BY total DESC, ended, game LIMIT ?;

-- list_points_lost
SELECT lost FROM results WHERE person = ? AND edition = ? AND counts = 1 AND lost IS NOT NULL
ORDER BY ended DESC, game LIMIT ?;

-- list_waiting_games
SELECT DISTINCT game FROM results WHERE counted < 1 + reviewed LIMIT ?;

-- list_pending_reviews
SELECT game, seat FROM results WHERE reviewed = 0 ORDER BY ended DESC, game, seat LIMIT ?;

-- list_closed_games
SELECT game FROM heads WHERE closed = 1 AND game > ? ORDER BY game LIMIT ?;

-- list_summaries
SELECT person, other, edition, version, body FROM summaries WHERE person = ? AND other = '' ORDER BY edition;

-- list_person_summaries
SELECT person, other, edition, version, body FROM summaries WHERE person = ? OR other = ? ORDER BY person, other, edition;

-- list_pair_summaries
SELECT person, other, edition, version, body FROM summaries WHERE person = ? AND other = ? ORDER BY edition;

-- list_companions
SELECT person, other FROM summaries WHERE person = ? AND other <> ''
UNION SELECT person, other FROM summaries WHERE other = ?;

-- select_all_people
SELECT person, name, colour, emblem, hidden, created, stale FROM people ORDER BY person;

-- select_all_holders
SELECT identity, person FROM holders ORDER BY identity, person;

-- select_all_players
SELECT game, seat, person FROM players ORDER BY game, seat;

-- select_all_results
SELECT game, seat, room, person, bot, edition, title, text, fingerprint, family, ended, total, place, players,
    practice, free, assisted, real_dice, imported, counts, detail, luck, lost, level, reviewed, counted
FROM results ORDER BY game, seat;

-- select_all_summaries
SELECT person, other, edition, version, body FROM summaries ORDER BY person, other, edition;

-- restore_people
INSERT INTO people (person, name, colour, emblem, hidden, created, stale) VALUES (?, ?, ?, ?, ?, ?, ?);

-- restore_holders
INSERT INTO holders (identity, person) VALUES (?, ?);

-- restore_players
INSERT INTO players (game, seat, person) VALUES (?, ?, ?);

-- restore_results
INSERT INTO results (game, seat, room, person, bot, edition, title, text, fingerprint, family, ended, total, place, players,
    practice, free, assisted, real_dice, imported, counts, detail, luck, lost, level, reviewed, counted)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- restore_summaries
INSERT INTO summaries (person, other, edition, version, body) VALUES (?, ?, ?, ?, ?);
