-- Statements about mistakes and answers, of both databases.

-- insert_mistake
INSERT INTO mistakes (person, game, event, seat, edition, theme, lost, card, due) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT DO NOTHING;

-- mark_searched
INSERT INTO searched_seats (game, seat) VALUES (?, ?) ON CONFLICT DO NOTHING;

-- update_card
UPDATE mistakes SET card = ?, due = ? WHERE person = ? AND game = ? AND event = ? AND card = ?;

-- insert_answer
INSERT INTO answers (owner, kind, fingerprint, name, edition, theme, lost, body, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT DO NOTHING;

-- move_mistakes
UPDATE mistakes SET person = ? WHERE person = ?;

-- copy_answers
INSERT INTO answers (owner, kind, fingerprint, name, edition, theme, lost, body, at)
SELECT ?, kind, fingerprint, name, edition, theme, lost, body, at FROM answers WHERE owner = ? ON CONFLICT DO NOTHING;

-- delete_person_mistakes
DELETE FROM mistakes WHERE person = ?;

-- delete_answers
DELETE FROM answers WHERE owner = ?;

-- delete_mistakes
DELETE FROM mistakes WHERE game = ?;

-- delete_searched_seats
DELETE FROM searched_seats WHERE game = ?;

-- list_mistakes
SELECT person, game, event, seat, edition, theme, lost, card, due FROM mistakes WHERE person = ?
ORDER BY due, game, event;

-- find_mistake
SELECT person, game, event, seat, edition, theme, lost, card, due FROM mistakes
WHERE person = ? AND game = ? AND event = ?;

-- end_searches
INSERT INTO searched_seats (game, seat) SELECT game, seat FROM results WHERE game = ? ON CONFLICT DO NOTHING;

-- list_unsearched
SELECT results.game, results.seat, results.person FROM results
WHERE results.person IS NOT NULL AND (? = '' OR results.person = ?) AND NOT EXISTS (
    SELECT 1 FROM searched_seats WHERE searched_seats.game = results.game AND searched_seats.seat = results.seat
) ORDER BY results.ended DESC, results.game, results.seat LIMIT ?;

-- list_answers
SELECT owner, kind, fingerprint, name, edition, theme, lost, body, at FROM answers WHERE owner = ? ORDER BY at, kind, name;

-- list_searched
SELECT edition, game FROM results WHERE person = ? AND imported = 0 AND EXISTS (
    SELECT 1 FROM searched_seats WHERE searched_seats.game = results.game AND searched_seats.seat = results.seat
) ORDER BY ended DESC, game DESC, seat DESC LIMIT ?;

-- select_all_mistakes
SELECT person, game, event, seat, edition, theme, lost, card, due FROM mistakes ORDER BY person, game, event;

-- select_all_searched_seats
SELECT game, seat FROM searched_seats ORDER BY game, seat;

-- select_all_answers
SELECT owner, kind, fingerprint, name, edition, theme, lost, body, at FROM answers ORDER BY owner, kind, fingerprint, name;

-- restore_mistakes
INSERT INTO mistakes (person, game, event, seat, edition, theme, lost, card, due) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?);

-- restore_searched_seats
INSERT INTO searched_seats (game, seat) VALUES (?, ?);

-- restore_answers
INSERT INTO answers (owner, kind, fingerprint, name, edition, theme, lost, body, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?);
