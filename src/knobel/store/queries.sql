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

-- update_name
UPDATE names SET name = ? WHERE game = ? AND seat = ?;

-- update_head
UPDATE heads SET count = ?, touched = ?, closed = ?, head = ? WHERE game = ? AND count = ? AND closed = 0;

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

-- remember_command
INSERT INTO commands (room, command, body, at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING;

-- find_room_command
SELECT body FROM commands WHERE room = ? AND command = ?;

-- delete_commands
DELETE FROM commands WHERE room = ?;

-- clear_upkeep
DELETE FROM upkeep;

-- insert_upkeep
INSERT INTO upkeep (at) VALUES (?);

-- find_upkeep
SELECT at FROM upkeep;

-- delete_presence
DELETE FROM presence WHERE room = ? AND device = ? AND process = ?;

-- bind_device
INSERT INTO devices (device, secret, identity)
SELECT ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM devices WHERE device = ?)
ON CONFLICT DO NOTHING;

-- add_device
INSERT INTO devices (device, secret, identity) VALUES (?, ?, ?) ON CONFLICT DO NOTHING;

-- move_identity
UPDATE devices SET identity = ? WHERE device = ? AND secret = ? AND identity = ?;

-- touch_device
UPDATE devices SET idle = 0 WHERE identity = ?;

-- age_devices
UPDATE devices SET idle = idle + ?;

-- delete_idle_devices
DELETE FROM devices WHERE idle > ?;

-- list_device_keys
SELECT device, secret, identity, idle FROM devices WHERE device = ?;

-- find_device_by_identity
SELECT device, secret, identity, idle FROM devices WHERE identity = ?;

-- delete_recovery_codes
DELETE FROM recovery_codes WHERE identity = ? OR expires <= ?;

-- insert_recovery_code
INSERT INTO recovery_codes (code, identity, expires) VALUES (?, ?, ?) ON CONFLICT DO NOTHING;

-- find_recovery_code
SELECT identity FROM recovery_codes WHERE code = ? AND expires > ?;

-- use_recovery_code
DELETE FROM recovery_codes WHERE code = ? AND expires > ?;

-- put_house_rules
INSERT INTO house_rules (fingerprint, text, stored) VALUES (?, ?, ?)
ON CONFLICT (fingerprint) DO UPDATE SET stored = excluded.stored;

-- delete_unused_house_rules
DELETE FROM house_rules WHERE stored < ?
    AND NOT EXISTS (SELECT 1 FROM rooms WHERE rooms.house_rules = house_rules.fingerprint)
    AND NOT EXISTS (SELECT 1 FROM games WHERE games.house_rules = house_rules.fingerprint)
    AND NOT EXISTS (SELECT 1 FROM tournaments WHERE tournaments.house_rules = house_rules.fingerprint);

-- find_house_rules
SELECT text FROM house_rules WHERE fingerprint = ?;

-- find_room
SELECT room, version, body, code, touched, house_rules, idle FROM rooms WHERE room = ?;

-- find_room_by_code
SELECT room FROM rooms WHERE code = ?;

-- list_rooms
SELECT room, version, body, code, touched, house_rules, idle FROM rooms ORDER BY touched DESC, room;

-- list_incomplete_games
SELECT game FROM games WHERE NOT EXISTS (SELECT 1 FROM heads WHERE heads.game = games.game)
UNION SELECT game FROM heads WHERE NOT EXISTS (SELECT 1 FROM games WHERE games.game = heads.game)
UNION SELECT game FROM events WHERE NOT EXISTS (SELECT 1 FROM games WHERE games.game = events.game);

-- list_old_games
SELECT heads.game FROM heads JOIN games ON games.game = heads.game
WHERE heads.closed = 1 AND heads.touched < ? AND NOT EXISTS (SELECT 1 FROM rooms WHERE rooms.room = games.room)
ORDER BY heads.touched, heads.game LIMIT ?;

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
SELECT 1 WHERE EXISTS (SELECT 1 FROM games) OR EXISTS (SELECT 1 FROM rooms) OR EXISTS (SELECT 1 FROM people)
    OR EXISTS (SELECT 1 FROM results);

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
SELECT game, count, touched, closed, head FROM heads ORDER BY game;

-- select_all_names
SELECT game, seat, name FROM names ORDER BY game, seat;

-- select_all_events
SELECT game, seq, command, request_body, ends, previous, body, at FROM events ORDER BY game, seq;

-- select_all_commands
SELECT room, command, body, at FROM commands ORDER BY room, command;

-- select_all_devices
SELECT device, secret, identity, idle FROM devices ORDER BY device, secret;

-- restore_house_rules
INSERT INTO house_rules (fingerprint, text, stored) VALUES (?, ?, ?) ON CONFLICT DO NOTHING;

-- restore_rooms
INSERT INTO rooms (room, version, body, code, touched, house_rules) VALUES (?, ?, ?, ?, ?, ?);

-- restore_games
INSERT INTO games (game, room, header, seed, opened, house_rules) VALUES (?, ?, ?, ?, ?, ?);

-- restore_heads
INSERT INTO heads (game, count, touched, closed, head) VALUES (?, ?, ?, ?, ?);

-- restore_names
INSERT INTO names (game, seat, name) VALUES (?, ?, ?) ON CONFLICT DO NOTHING;

-- restore_events
INSERT INTO events (game, seq, command, request_body, ends, previous, body, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?);

-- restore_commands
INSERT INTO commands (room, command, body, at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING;

-- restore_devices
INSERT INTO devices (device, secret, identity, idle) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING;
