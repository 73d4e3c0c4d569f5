-- Statements of both databases, each under its name.

-- begin
BEGIN;

-- commit
COMMIT;

-- rollback
ROLLBACK;

-- insert_room
INSERT INTO rooms (room, version, body, code, touched) VALUES (?, 1, ?, ?, ?) ON CONFLICT DO NOTHING;

-- update_room
UPDATE rooms SET version = version + 1, body = ?, code = ?, touched = ? WHERE room = ? AND version = ?;

-- delete_room
DELETE FROM rooms WHERE room = ? AND version = ?;

-- insert_game
INSERT INTO games (game, room, header, seed, opened) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING;

-- insert_head
INSERT INTO heads (game, count, touched, closed) VALUES (?, 0, ?, 0) ON CONFLICT DO NOTHING;

-- insert_name
INSERT INTO names (game, seat, name) VALUES (?, ?, ?) ON CONFLICT DO NOTHING;

-- update_head
UPDATE heads SET count = ?, touched = ?, closed = ? WHERE game = ? AND count = ? AND closed = 0;

-- insert_event
INSERT INTO events (game, seq, command, asked, ends, previous, body, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?);

-- delete_events
DELETE FROM events WHERE game = ?;

-- delete_names
DELETE FROM names WHERE game = ?;

-- delete_head
DELETE FROM heads WHERE game = ?;

-- delete_game
DELETE FROM games WHERE game = ?;

-- find_room
SELECT room, version, body, code, touched FROM rooms WHERE room = ?;

-- find_room_by_code
SELECT room FROM rooms WHERE code = ?;

-- list_rooms
SELECT room, version, body, code, touched FROM rooms ORDER BY touched DESC, room;

-- list_events
SELECT seq, previous, body, command, asked, ends FROM events WHERE game = ? AND seq > ? ORDER BY seq;

-- find_command
SELECT asked, ends FROM events WHERE game = ? AND command = ?;

-- select_version
SELECT version FROM schema;

-- clear_version
DELETE FROM schema;

-- insert_version
INSERT INTO schema (version) VALUES (?);

-- has_rows
SELECT 1 WHERE EXISTS (SELECT 1 FROM games) OR EXISTS (SELECT 1 FROM rooms);

-- select_all_rooms
SELECT room, version, body, code, touched FROM rooms ORDER BY room;

-- select_all_games
SELECT game, room, header, seed, opened FROM games ORDER BY game;

-- select_all_heads
SELECT game, count, touched, closed FROM heads ORDER BY game;

-- select_all_names
SELECT game, seat, name FROM names ORDER BY game, seat;

-- select_all_events
SELECT game, seq, command, asked, ends, previous, body, at FROM events ORDER BY game, seq;

-- restore_rooms
INSERT INTO rooms (room, version, body, code, touched) VALUES (?, ?, ?, ?, ?);

-- restore_games
INSERT INTO games (game, room, header, seed, opened) VALUES (?, ?, ?, ?, ?);

-- restore_heads
INSERT INTO heads (game, count, touched, closed) VALUES (?, ?, ?, ?);

-- restore_names
INSERT INTO names (game, seat, name) VALUES (?, ?, ?) ON CONFLICT DO NOTHING;

-- restore_events
INSERT INTO events (game, seq, command, asked, ends, previous, body, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?);
