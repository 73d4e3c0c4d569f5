-- What both databases are asked; each statement stands under its name.

-- begin
BEGIN;

-- commit
COMMIT;

-- rollback
ROLLBACK;

-- new_room
INSERT INTO rooms (room, version, body, code, touched) VALUES (?, 1, ?, ?, ?) ON CONFLICT DO NOTHING;

-- put_room
UPDATE rooms SET version = version + 1, body = ?, code = ?, touched = ? WHERE room = ? AND version = ?;

-- drop_room
DELETE FROM rooms WHERE room = ? AND version = ?;

-- new_game
INSERT INTO games (game, room, header, seed, opened) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING;

-- new_head
INSERT INTO heads (game, count, touched, closed) VALUES (?, 0, ?, 0) ON CONFLICT DO NOTHING;

-- new_name
INSERT INTO names (game, seat, name) VALUES (?, ?, ?) ON CONFLICT DO NOTHING;

-- move_game
UPDATE heads SET count = ?, touched = ?, closed = ? WHERE game = ? AND count = ? AND closed = 0;

-- new_event
INSERT INTO events (game, seq, command, asked, ends, previous, body, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?);

-- rename
UPDATE names SET name = ? WHERE game = ? AND seat = ?;

-- drop_events
DELETE FROM events WHERE game = ?;

-- drop_names
DELETE FROM names WHERE game = ?;

-- drop_head
DELETE FROM heads WHERE game = ?;

-- drop_game
DELETE FROM games WHERE game = ?;

-- room
SELECT room, version, body, code, touched FROM rooms WHERE room = ?;

-- room_of_code
SELECT room FROM rooms WHERE code = ?;

-- rooms
SELECT room, version, body, code, touched FROM rooms ORDER BY touched DESC, room;

-- events
SELECT seq, previous, body, command, asked, ends FROM events WHERE game = ? AND seq > ? ORDER BY seq;

-- done
SELECT asked, ends FROM events WHERE game = ? AND command = ?;

-- version
SELECT version FROM schema;

-- forget_version
DELETE FROM schema;

-- set_version
INSERT INTO schema (version) VALUES (?);

-- anything
SELECT 1 WHERE EXISTS (SELECT 1 FROM games) OR EXISTS (SELECT 1 FROM rooms);

-- all_rooms
SELECT room, version, body, code, touched FROM rooms ORDER BY room;

-- all_games
SELECT game, room, header, seed, opened FROM games ORDER BY game;

-- all_heads
SELECT game, count, touched, closed FROM heads ORDER BY game;

-- all_names
SELECT game, seat, name FROM names ORDER BY game, seat;

-- all_events
SELECT game, seq, command, asked, ends, previous, body, at FROM events ORDER BY game, seq;

-- add_rooms
INSERT INTO rooms (room, version, body, code, touched) VALUES (?, ?, ?, ?, ?);

-- add_games
INSERT INTO games (game, room, header, seed, opened) VALUES (?, ?, ?, ?, ?);

-- add_heads
INSERT INTO heads (game, count, touched, closed) VALUES (?, ?, ?, ?);

-- add_names
INSERT INTO names (game, seat, name) VALUES (?, ?, ?) ON CONFLICT DO NOTHING;

-- add_events
INSERT INTO events (game, seq, command, asked, ends, previous, body, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?);
