-- Statements of SQLite alone.

-- begin_immediate
BEGIN IMMEDIATE;

-- page_size
PRAGMA page_size = 2048;

-- journal_mode
PRAGMA journal_mode = WAL;

-- synchronous
PRAGMA synchronous = FULL;

-- cache_size
PRAGMA cache_size = -65536;

-- wal_autocheckpoint
PRAGMA wal_autocheckpoint = 8000;

-- secure_delete
PRAGMA secure_delete = ON;

-- empty_log
PRAGMA wal_checkpoint(TRUNCATE);

-- busy_timeout
PRAGMA busy_timeout = 10000;

-- data_version
PRAGMA data_version;

-- integrity_check
PRAGMA integrity_check;

-- savepoint
SAVEPOINT job;

-- rollback_to
ROLLBACK TO job;

-- release
RELEASE job;

-- list_tables
SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name;

-- update_heads
UPDATE heads SET count = requested.column3, touched = requested.column4, closed = requested.column5,
    head = requested.column6
FROM (VALUES (?, ?, ?, ?, ?, ?)) AS requested
WHERE heads.game = requested.column1 AND heads.count = requested.column2 AND heads.closed = 0;

-- insert_events
INSERT INTO events (game, seq, command, request_body, ends, previous, body, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?);

-- find_game
SELECT games.game, room, header, seed, opened, house_rules, touched, closed, count, head,
    (SELECT json_group_array(name) FROM (SELECT name FROM names WHERE names.game = games.game ORDER BY seat))
FROM games JOIN heads ON heads.game = games.game WHERE games.game = ?;

-- list_games
SELECT games.game, room, header, seed, opened, house_rules, touched, closed, count, head,
    (SELECT json_group_array(name) FROM (SELECT name FROM names WHERE names.game = games.game ORDER BY seat))
FROM (SELECT game, touched, closed, count, head FROM heads WHERE closed <= ? ORDER BY touched DESC, game LIMIT ?) AS heads
JOIN games ON games.game = heads.game ORDER BY touched DESC, games.game;

-- count_events
SELECT game, count FROM heads WHERE game IN (SELECT value FROM json_each(?));

-- put_presence
INSERT INTO presence (room, device, process, expires) VALUES (?, ?, ?, (julianday('now') - 2440587.5) * 86400.0 + ?)
ON CONFLICT (room, device, process) DO UPDATE SET expires = excluded.expires;

-- list_presence
SELECT room, device FROM presence WHERE process <> ? AND expires > (julianday('now') - 2440587.5) * 86400.0;

-- delete_expired_presence
DELETE FROM presence WHERE expires < (julianday('now') - 2440587.5) * 86400.0;

-- age_rooms
UPDATE rooms SET idle = CASE WHEN rooms.counted = last.touched THEN rooms.idle + ? ELSE 0 END, counted = last.touched
FROM (
    SELECT rooms.room, max(rooms.touched, COALESCE(max(heads.touched), 0)) AS touched
    FROM rooms LEFT JOIN games ON games.room = rooms.room LEFT JOIN heads ON heads.game = games.game
    GROUP BY rooms.room, rooms.touched
) AS last WHERE last.room = rooms.room;

-- list_results
SELECT results.game, results.seat, results.room, results.person, bot, edition, title, text, fingerprint, family, ended, total,
    place, players, practice, free, assisted, real_dice, imported, counts, detail, luck, lost, level, reviewed, counted,
    COALESCE(names.name, ''), people.colour, people.emblem, COALESCE(people.hidden, 0)
FROM results LEFT JOIN names ON names.game = results.game AND names.seat = results.seat LEFT JOIN people ON people.person = results.person
WHERE results.game IN (SELECT value FROM json_each(?)) ORDER BY ended DESC, results.game DESC, results.seat;

-- list_open_games
SELECT heads.game, games.room FROM heads JOIN games ON games.game = heads.game
WHERE heads.closed = 0 AND EXISTS (
    SELECT 1 FROM players WHERE players.game = heads.game AND players.person IN (SELECT value FROM json_each(?))
) ORDER BY heads.touched DESC, heads.game LIMIT ?;

-- list_all_summaries
SELECT person, other, edition, version, body FROM summaries
WHERE person IN (SELECT value FROM json_each(?)) AND other IN (SELECT value FROM json_each(?));

-- list_person_counts
SELECT value, (SELECT COUNT(*) FROM results WHERE person = value),
    (SELECT MAX(ended) FROM results WHERE person = value) AS last
FROM json_each(?) WHERE last IS NOT NULL;

-- list_person_editions
WITH RECURSIVE played (person, edition) AS (
    SELECT value, (SELECT MIN(edition) FROM results WHERE person = value) FROM json_each(?)
    UNION ALL
    SELECT person, (
        SELECT MIN(edition) FROM results WHERE results.person = played.person AND results.edition > played.edition
    ) FROM played WHERE edition IS NOT NULL
), counted AS (
    SELECT edition, (
        SELECT COUNT(*) FROM results WHERE results.person = played.person AND results.edition = played.edition
    ) AS games, (
        SELECT MAX(ended) FROM results WHERE results.person = played.person AND results.edition = played.edition
    ) AS last FROM played WHERE edition IS NOT NULL
)
SELECT edition, SUM(games), MAX(last) FROM counted GROUP BY edition ORDER BY MAX(last) DESC;

-- list_known_people
SELECT person, name, colour, emblem, hidden, created, stale FROM people WHERE person IN (SELECT value FROM json_each(?))
    OR person IN (SELECT other FROM summaries WHERE person IN (SELECT value FROM json_each(?)))
    OR person IN (SELECT person FROM summaries WHERE other IN (SELECT value FROM json_each(?)))
ORDER BY person;
