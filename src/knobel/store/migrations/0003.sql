-- What keeps promises over restarts, other processes and wrong clocks.

-- The commands that changed a room; those of a game stand with its events.
CREATE TABLE commands (
    room TEXT NOT NULL,
    command TEXT NOT NULL,
    body TEXT NOT NULL,
    at DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (room, command)
) /*sqlite WITHOUT ROWID */;

-- Which devices are connected to which room through which process, until when unless the process says so again.
CREATE TABLE presence (
    room TEXT NOT NULL,
    device TEXT NOT NULL,
    process TEXT NOT NULL,
    expires DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (room, device, process)
) /*sqlite WITHOUT ROWID */;

-- The hash of the last line of a log, so that a changed or missing end is noticed.
ALTER TABLE heads ADD COLUMN head TEXT;

-- How long nobody has touched a room, counted in small steps whatever the clock says, and its last touch at that count.
ALTER TABLE rooms ADD COLUMN idle DOUBLE PRECISION NOT NULL DEFAULT 0;

ALTER TABLE rooms ADD COLUMN counted DOUBLE PRECISION NOT NULL DEFAULT 0;

CREATE TABLE upkeep (
    at DOUBLE PRECISION NOT NULL
);

CREATE INDEX games_room ON games (room);
