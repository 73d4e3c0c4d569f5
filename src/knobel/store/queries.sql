-- Statements of both databases, each under its name.

-- begin
BEGIN;

-- commit
COMMIT;

-- rollback
ROLLBACK;

-- insert_room
INSERT INTO rooms (room, version, body, code, touched, house_rules) VALUES (?, 1, ?, ?, ?, ?) ON CONFLICT DO NOTHING;

-- update_room
UPDATE rooms SET version = version + 1, body = ?, code = ?, touched = ?, house_rules = ? WHERE room = ? AND version = ?;

-- delete_room
DELETE FROM rooms WHERE room = ? AND version = ?;

-- insert_game
INSERT INTO games (game, room, header, seed, opened, house_rules) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING;

-- insert_head
INSERT INTO heads (game, count, touched, closed) VALUES (?, 0, ?, 0) ON CONFLICT DO NOTHING;

-- insert_name
INSERT INTO names (game, seat, name) VALUES (?, ?, ?) ON CONFLICT DO NOTHING;

-- update_head
UPDATE heads SET count = ?, touched = ?, closed = ? WHERE game = ? AND count = ? AND closed = 0;

-- insert_event
INSERT INTO events (game, seq, command, request_body, ends, previous, body, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?);

-- delete_events
DELETE FROM events WHERE game = ?;

-- delete_names
DELETE FROM names WHERE game = ?;

-- delete_head
DELETE FROM heads WHERE game = ?;

-- delete_game
DELETE FROM games WHERE game = ?;

-- put_house_rules
INSERT INTO house_rules (fingerprint, text, stored) VALUES (?, ?, ?)
ON CONFLICT (fingerprint) DO UPDATE SET stored = excluded.stored;

-- delete_unused_house_rules
DELETE FROM house_rules WHERE stored < ?
    AND NOT EXISTS (SELECT 1 FROM rooms WHERE rooms.house_rules = house_rules.fingerprint)
    AND NOT EXISTS (SELECT 1 FROM games WHERE games.house_rules = house_rules.fingerprint);

-- find_house_rules
SELECT text FROM house_rules WHERE fingerprint = ?;

-- find_room
SELECT room, version, body, code, touched, house_rules FROM rooms WHERE room = ?;

-- find_room_by_code
SELECT room FROM rooms WHERE code = ?;

-- list_rooms
SELECT room, version, body, code, touched, house_rules FROM rooms ORDER BY touched DESC, room;

-- list_events
SELECT seq, previous, body, command, request_body, ends FROM events WHERE game = ? AND seq > ? ORDER BY seq;

-- find_command
SELECT request_body, ends FROM events WHERE game = ? AND command = ?;

-- select_version
SELECT version FROM schema;

-- clear_version
DELETE FROM schema;

-- insert_version
INSERT INTO schema (version) VALUES (?);

-- has_rows
SELECT 1 WHERE EXISTS (SELECT 1 FROM games) OR EXISTS (SELECT 1 FROM rooms);

-- rooms_to_upgrade
SELECT room, body, touched FROM rooms ORDER BY room;

-- upgrade_room
UPDATE rooms SET body = ?, house_rules = ? WHERE room = ?;

-- upgrade_house_rules
INSERT INTO house_rules (fingerprint, text, stored) VALUES (?, ?, ?) ON CONFLICT DO NOTHING;

-- upgrade_game
UPDATE games SET house_rules = ? WHERE game = ?;

-- select_all_house_rules
SELECT fingerprint, text, stored FROM house_rules ORDER BY fingerprint;

-- select_all_rooms
SELECT room, version, body, code, touched, house_rules FROM rooms ORDER BY room;

-- select_all_games
SELECT game, room, header, seed, opened, house_rules FROM games ORDER BY game;

-- select_all_heads
SELECT game, count, touched, closed FROM heads ORDER BY game;

-- select_all_names
SELECT game, seat, name FROM names ORDER BY game, seat;

-- select_all_events
SELECT game, seq, command, request_body, ends, previous, body, at FROM events ORDER BY game, seq;

-- restore_house_rules
INSERT INTO house_rules (fingerprint, text, stored) VALUES (?, ?, ?) ON CONFLICT DO NOTHING;

-- restore_rooms
INSERT INTO rooms (room, version, body, code, touched, house_rules) VALUES (?, ?, ?, ?, ?, ?);

-- restore_games
INSERT INTO games (game, room, header, seed, opened, house_rules) VALUES (?, ?, ?, ?, ?, ?);

-- restore_heads
INSERT INTO heads (game, count, touched, closed) VALUES (?, ?, ?, ?);

-- restore_names
INSERT INTO names (game, seat, name) VALUES (?, ?, ?) ON CONFLICT DO NOTHING;

-- restore_events
INSERT INTO events (game, seq, command, request_body, ends, previous, body, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?);
