-- Everything Knobel keeps: rooms, games, the names beside them, and the logs.

CREATE TABLE schema (
    version BIGINT NOT NULL
);

CREATE TABLE rooms (
    room TEXT NOT NULL PRIMARY KEY,
    version BIGINT NOT NULL,
    body TEXT NOT NULL,
    code TEXT UNIQUE,
    touched DOUBLE PRECISION NOT NULL
);

CREATE TABLE games (
    game TEXT NOT NULL PRIMARY KEY,
    room TEXT NOT NULL,
    header TEXT NOT NULL,
    seed TEXT NOT NULL,
    opened DOUBLE PRECISION NOT NULL
);

-- What changes with every command, apart from the long rows that never do.
-- count is the number of the last event: who appends must know it, so a log has no gaps and never forks.
CREATE TABLE heads (
    game TEXT NOT NULL PRIMARY KEY,
    count BIGINT NOT NULL,
    touched DOUBLE PRECISION NOT NULL,
    closed BIGINT NOT NULL
) /*sqlite WITHOUT ROWID */;

CREATE TABLE names (
    game TEXT NOT NULL,
    seat BIGINT NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (game, seat)
) /*sqlite WITHOUT ROWID */;

-- The first event of a command carries its id, what was asked, and the number of its last event.
-- In SQLite rows lie in the order of writing: twice as fast as beside the rows of their game.
CREATE TABLE events (
    game TEXT NOT NULL,
    seq BIGINT NOT NULL,
    command TEXT,
    asked TEXT,
    ends BIGINT,
    previous TEXT NOT NULL,
    body TEXT NOT NULL,
    at DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (game, seq)
);

CREATE UNIQUE INDEX events_command ON events (game, command) WHERE command IS NOT NULL;
