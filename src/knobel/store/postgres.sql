-- Statements of PostgreSQL alone.

-- snapshot
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;

-- migration_lock
SELECT pg_advisory_xact_lock(5424175318601);

-- list_tables
SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename;

-- list_risks
SELECT name FROM pg_settings WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit') AND setting = 'off'
ORDER BY name;

-- listen
LISTEN knobel;

-- notify
SELECT pg_notify('knobel', ?);

-- find_room_of_game
SELECT room FROM games WHERE game = ?;

-- append_events
WITH requested AS (
    SELECT * FROM json_to_recordset(?::json)
        AS requested (game TEXT, was BIGINT, now BIGINT, at FLOAT8, closes BIGINT, command TEXT, head TEXT)
), locked AS MATERIALIZED (
    SELECT heads.game FROM heads WHERE heads.game IN (SELECT requested.game FROM requested) ORDER BY heads.game FOR UPDATE OF heads
), updated AS (
    UPDATE heads SET count = requested.now, touched = requested.at, closed = requested.closes, head = requested.head
    FROM requested JOIN locked ON locked.game = requested.game JOIN games ON games.game = requested.game
    WHERE heads.game = requested.game AND heads.count = requested.was AND heads.closed = 0
        AND NOT EXISTS (SELECT 1 FROM events WHERE events.game = requested.game AND events.command = requested.command)
    RETURNING games.game, games.room
), added AS (
    INSERT INTO events (game, seq, command, request_body, ends, previous, body, at)
    SELECT row.game, row.seq, row.command, row.request_body, row.ends, row.previous, row.body, row.at
    FROM json_to_recordset(?::json) AS row (
        game TEXT, seq BIGINT, command TEXT, request_body TEXT, ends BIGINT, previous TEXT, body TEXT, at FLOAT8
    )
    JOIN updated ON updated.game = row.game
), notified AS MATERIALIZED (
    SELECT pg_notify('knobel', ? || room) FROM (SELECT DISTINCT room FROM updated) AS rooms
)
SELECT game FROM updated WHERE (SELECT count(*) FROM notified) > 0;

-- find_game
SELECT games.game, room, header, seed, opened, house_rules, touched, closed, count, head,
    ARRAY(SELECT name FROM names WHERE names.game = games.game ORDER BY seat)
FROM games JOIN heads ON heads.game = games.game WHERE games.game = ?;

-- list_games
SELECT games.game, room, header, seed, opened, house_rules, touched, closed, count, head,
    ARRAY(SELECT name FROM names WHERE names.game = games.game ORDER BY seat)
FROM (SELECT game, touched, closed, count, head FROM heads WHERE closed <= ? ORDER BY touched DESC, game LIMIT ?) AS heads
JOIN games ON games.game = heads.game ORDER BY touched DESC, games.game;

-- count_events
SELECT game, count FROM heads WHERE game = ANY(?);

-- name_room
SELECT ?::text;

-- name_no_room
SELECT NULL WHERE FALSE;

-- lock_tables
LOCK TABLE house_rules, rooms, games, heads, names, events, commands, devices, people, holders, players, results, summaries
IN EXCLUSIVE MODE;

-- put_presence
INSERT INTO presence (room, device, process, expires) VALUES (?, ?, ?, extract(epoch FROM clock_timestamp()) + ?)
ON CONFLICT (room, device, process) DO UPDATE SET expires = excluded.expires;

-- list_presence
SELECT room, device FROM presence WHERE process <> ? AND expires > extract(epoch FROM clock_timestamp());

-- delete_expired_presence
DELETE FROM presence WHERE expires < extract(epoch FROM clock_timestamp());

-- age_rooms
UPDATE rooms SET idle = CASE WHEN rooms.counted = last.touched THEN rooms.idle + ? ELSE 0 END, counted = last.touched
FROM (
    SELECT rooms.room, GREATEST(rooms.touched, COALESCE(max(heads.touched), 0)) AS touched
    FROM rooms LEFT JOIN games ON games.room = rooms.room LEFT JOIN heads ON heads.game = games.game
    GROUP BY rooms.room, rooms.touched
) AS last WHERE last.room = rooms.room;

-- list_results
SELECT results.game, results.seat, results.room, results.person, bot, edition, title, text, fingerprint, family, ended, total,
    place, players, practice, free, assisted, real_dice, imported, counts, detail, luck, lost, level, reviewed, counted,
    COALESCE(names.name, ''), people.colour, people.emblem
FROM results LEFT JOIN names ON names.game = results.game AND names.seat = results.seat LEFT JOIN people ON people.person = results.person
WHERE results.game = ANY(?) ORDER BY ended DESC, results.game DESC, results.seat;

-- list_open_games
SELECT heads.game, games.room FROM heads JOIN games ON games.game = heads.game
WHERE heads.closed = 0 AND EXISTS (
    SELECT 1 FROM players WHERE players.game = heads.game AND players.person = ANY(?)
) ORDER BY heads.touched DESC, heads.game LIMIT ?;

-- list_all_summaries
SELECT person, other, edition, version, body FROM summaries
WHERE person = ANY(?) AND other = ANY(?);

-- list_person_counts
SELECT person, COUNT(*), MAX(ended) FROM results WHERE person = ANY(?) GROUP BY person;

-- list_person_editions
SELECT edition, COUNT(*), MAX(ended) FROM results WHERE person = ANY(?) GROUP BY edition
ORDER BY MAX(ended) DESC;

-- list_known_people
SELECT person, name, colour, emblem, hidden, created, stale FROM people WHERE person = ANY(?)
    OR person IN (SELECT other FROM summaries WHERE person = ANY(?))
    OR person IN (SELECT person FROM summaries WHERE other = ANY(?))
ORDER BY person;
