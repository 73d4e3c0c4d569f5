CREATE TABLE schema (
    version BIGINT NOT NULL
);
CREATE TABLE house_rules (
    fingerprint TEXT NOT NULL PRIMARY KEY,
    text TEXT NOT NULL,
    stored DOUBLE PRECISION NOT NULL
);
CREATE TABLE rooms (
    room TEXT NOT NULL PRIMARY KEY,
    version BIGINT NOT NULL,
    body TEXT NOT NULL,
    code TEXT UNIQUE,
    touched DOUBLE PRECISION NOT NULL,
    house_rules TEXT,
    idle DOUBLE PRECISION NOT NULL DEFAULT 0,
    counted DOUBLE PRECISION NOT NULL DEFAULT 0
);
CREATE TABLE games (
    game TEXT NOT NULL PRIMARY KEY,
    room TEXT NOT NULL,
    header TEXT NOT NULL,
    seed TEXT NOT NULL,
    opened DOUBLE PRECISION NOT NULL,
    house_rules TEXT
);
CREATE TABLE heads (
    game TEXT NOT NULL PRIMARY KEY,
    count BIGINT NOT NULL,
    touched DOUBLE PRECISION NOT NULL,
    closed BIGINT NOT NULL,
    head TEXT
) /*sqlite WITHOUT ROWID */;
CREATE TABLE names (
    game TEXT NOT NULL,
    seat BIGINT NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (game, seat)
) /*sqlite WITHOUT ROWID */;
CREATE TABLE events (
    game TEXT NOT NULL,
    seq BIGINT NOT NULL,
    command TEXT,
    request_body TEXT,
    ends BIGINT,
    previous TEXT NOT NULL,
    body TEXT NOT NULL,
    at DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (game, seq)
);
CREATE UNIQUE INDEX events_command ON events (game, command) WHERE command IS NOT NULL;
CREATE TABLE commands (
    room TEXT NOT NULL,
    command TEXT NOT NULL,
    body TEXT NOT NULL,
    at DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (room, command)
) /*sqlite WITHOUT ROWID */;
CREATE TABLE presence (
    room TEXT NOT NULL,
    device TEXT NOT NULL,
    process TEXT NOT NULL,
    expires DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (room, device, process)
) /*sqlite WITHOUT ROWID */;
CREATE TABLE upkeep (
    at DOUBLE PRECISION NOT NULL
);
CREATE INDEX games_room ON games (room);
INSERT INTO schema (version) VALUES (3);
INSERT INTO rooms (room, version, body, code, touched) VALUES ('r1', 3, '{"title":"Küche"}', 'ABCD2345', 30.5);
INSERT INTO rooms (room, version, body, code, touched) VALUES ('r2', 1, '{}', NULL, 20.0);
INSERT INTO games (game, room, header, seed, opened) VALUES ('g1', 'r1', '{"knobel":1}', '00ff', 10.0);
INSERT INTO games (game, room, header, seed, opened) VALUES ('g2', 'r1', '{"knobel":1}', '11ee', 11.0);
INSERT INTO heads (game, count, touched, closed) VALUES ('g1', 3, 12.25, 1);
INSERT INTO heads (game, count, touched, closed) VALUES ('g2', 0, 11.0, 0);
INSERT INTO names (game, seat, name) VALUES ('g1', 0, 'Åsa');
INSERT INTO names (game, seat, name) VALUES ('g1', 1, 'Bob; or Bobby');
INSERT INTO events (game, seq, command, request_body, ends, previous, body, at) VALUES ('g1', 1, 'c1', '{"throw":[]}', 2, '', '{"n":1}', 10.5);
INSERT INTO events (game, seq, command, request_body, ends, previous, body, at) VALUES ('g1', 2, NULL, NULL, NULL, 'aa', '{"n":2}', 10.5);
INSERT INTO events (game, seq, command, request_body, ends, previous, body, at) VALUES ('g1', 3, 'c2', '{"close":true}', 3, 'bb', '{"n":3}', 12.25);
