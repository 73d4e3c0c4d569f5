-- Statements of SQLite alone.

-- begin_immediate
BEGIN IMMEDIATE;

-- journal_mode
PRAGMA journal_mode = WAL;

-- synchronous
PRAGMA synchronous = FULL;

-- cache_size
PRAGMA cache_size = -65536;

-- wal_autocheckpoint
PRAGMA wal_autocheckpoint = 8000;

-- busy_timeout
PRAGMA busy_timeout = 10000;

-- data_version
PRAGMA data_version;

-- savepoint
SAVEPOINT job;

-- rollback_to
ROLLBACK TO job;

-- release
RELEASE job;

-- list_tables
SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name;

-- update_heads
UPDATE heads SET count = requested.column3, touched = requested.column4, closed = requested.column5
FROM (VALUES (?, ?, ?, ?, ?)) AS requested
WHERE heads.game = requested.column1 AND heads.count = requested.column2 AND heads.closed = 0;

-- insert_events
INSERT INTO events (game, seq, command, request_body, ends, previous, body, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?);

-- find_game
SELECT games.game, room, header, seed, opened, house_rules, touched, closed, count,
    (SELECT json_group_array(name) FROM (SELECT name FROM names WHERE names.game = games.game ORDER BY seat))
FROM games JOIN heads ON heads.game = games.game WHERE games.game = ?;

-- list_games
SELECT games.game, room, header, seed, opened, house_rules, touched, closed, count,
    (SELECT json_group_array(name) FROM (SELECT name FROM names WHERE names.game = games.game ORDER BY seat))
FROM (SELECT game, touched, closed, count FROM heads WHERE closed <= ? ORDER BY touched DESC, game LIMIT ?) AS heads
JOIN games ON games.game = heads.game ORDER BY touched DESC, games.game;

-- count_events
SELECT game, count FROM heads WHERE game IN (SELECT value FROM json_each(?));
