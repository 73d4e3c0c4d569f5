-- What only PostgreSQL is asked.

-- snapshot
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;

-- alone
SELECT pg_advisory_xact_lock(5424175318601);

-- tables
SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename;

-- listen
LISTEN knobel;

-- tell
SELECT pg_notify('knobel', ?);

-- room_of_game
SELECT room FROM games WHERE game = ?;

-- append
WITH asked AS (
    SELECT * FROM json_to_recordset(?::json)
        AS asked (game TEXT, was BIGINT, now BIGINT, at FLOAT8, closes BIGINT, command TEXT)
), locked AS MATERIALIZED (
    SELECT heads.game FROM heads WHERE heads.game IN (SELECT asked.game FROM asked) ORDER BY heads.game FOR UPDATE OF heads
), moved AS (
    UPDATE heads SET count = asked.now, touched = asked.at, closed = asked.closes
    FROM asked JOIN locked ON locked.game = asked.game JOIN games ON games.game = asked.game
    WHERE heads.game = asked.game AND heads.count = asked.was AND heads.closed = 0
        AND NOT EXISTS (SELECT 1 FROM events WHERE events.game = asked.game AND events.command = asked.command)
    RETURNING games.game, games.room
), added AS (
    INSERT INTO events (game, seq, command, asked, ends, previous, body, at)
    SELECT row.game, row.seq, row.command, row.asked, row.ends, row.previous, row.body, row.at
    FROM json_to_recordset(?::json) AS row (
        game TEXT, seq BIGINT, command TEXT, asked TEXT, ends BIGINT, previous TEXT, body TEXT, at FLOAT8
    )
    JOIN moved ON moved.game = row.game
), told AS MATERIALIZED (
    SELECT pg_notify('knobel', ? || room) FROM (SELECT DISTINCT room FROM moved) AS rooms
)
SELECT game FROM moved WHERE (SELECT count(*) FROM told) > 0;

-- game
SELECT games.game, room, header, seed, opened, touched, closed, count,
    ARRAY(SELECT name FROM names WHERE names.game = games.game ORDER BY seat)
FROM games JOIN heads ON heads.game = games.game WHERE games.game = ?;

-- games
SELECT games.game, room, header, seed, opened, touched, closed, count,
    ARRAY(SELECT name FROM names WHERE names.game = games.game ORDER BY seat)
FROM (SELECT game, touched, closed, count FROM heads WHERE closed <= ? ORDER BY touched DESC, game LIMIT ?) AS heads
JOIN games ON games.game = heads.game ORDER BY touched DESC, games.game;

-- heads
SELECT game, count FROM heads WHERE game = ANY(?);

-- this_room
SELECT ?::text;

-- nobody
LOCK TABLE rooms, games, heads, names, events IN EXCLUSIVE MODE;
