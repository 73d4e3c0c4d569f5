-- What only SQLite is asked.

-- lock
BEGIN IMMEDIATE;

-- journal
PRAGMA journal_mode = WAL;

-- durable
PRAGMA synchronous = FULL;

-- cache
PRAGMA cache_size = -65536;

-- checkpoint
PRAGMA wal_autocheckpoint = 8000;

-- patience
PRAGMA busy_timeout = 10000;

-- pages
PRAGMA max_page_count = {};

-- others
PRAGMA data_version;

-- save
SAVEPOINT job;

-- undo
ROLLBACK TO job;

-- keep
RELEASE job;

-- tables
SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name;

-- move_games
UPDATE heads SET count = asked.column3, touched = asked.column4, closed = asked.column5
FROM (VALUES (?, ?, ?, ?, ?)) AS asked
WHERE heads.game = asked.column1 AND heads.count = asked.column2 AND heads.closed = 0;

-- new_events
INSERT INTO events (game, seq, command, asked, ends, previous, body, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?);

-- game
SELECT games.game, room, header, seed, opened, touched, closed, count,
    (SELECT json_group_array(name) FROM (SELECT name FROM names WHERE names.game = games.game ORDER BY seat))
FROM games JOIN heads ON heads.game = games.game WHERE games.game = ?;

-- games
SELECT games.game, room, header, seed, opened, touched, closed, count,
    (SELECT json_group_array(name) FROM (SELECT name FROM names WHERE names.game = games.game ORDER BY seat))
FROM (SELECT game, touched, closed, count FROM heads WHERE closed <= ? ORDER BY touched DESC, game LIMIT ?) AS heads
JOIN games ON games.game = heads.game ORDER BY touched DESC, games.game;

-- heads
SELECT game, count FROM heads WHERE game IN (SELECT value FROM json_each(?));
