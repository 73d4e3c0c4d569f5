-- Statements about tournaments, of both databases.

-- insert_tournament
INSERT INTO tournaments (tournament, version, identity, body, touched, house_rules) VALUES (?, 1, ?, ?, ?, ?)
ON CONFLICT DO NOTHING;

-- update_tournament
UPDATE tournaments SET version = version + 1, body = ?, touched = ?, idle = 0 WHERE tournament = ? AND version = ?;

-- delete_tournament
DELETE FROM tournaments WHERE tournament = ? AND version = ?;

-- age_tournaments
UPDATE tournaments SET idle = idle + ?;

-- delete_idle_tournaments
DELETE FROM tournaments WHERE idle > ?;

-- find_tournament
SELECT tournament, version, identity, body, touched, house_rules FROM tournaments WHERE tournament = ?;

-- list_tournaments
SELECT tournament, version, identity, body, touched, house_rules FROM tournaments WHERE identity = ?
ORDER BY touched DESC, tournament LIMIT ?;

-- select_all_tournaments
SELECT tournament, version, identity, body, touched, house_rules, idle FROM tournaments ORDER BY tournament;

-- restore_tournaments
INSERT INTO tournaments (tournament, version, identity, body, touched, house_rules, idle) VALUES (?, ?, ?, ?, ?, ?, ?);
