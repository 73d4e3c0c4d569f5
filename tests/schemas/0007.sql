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
CREATE TABLE devices (
    device TEXT NOT NULL,
    secret TEXT NOT NULL,
    identity TEXT NOT NULL UNIQUE,
    idle DOUBLE PRECISION NOT NULL DEFAULT 0,
    PRIMARY KEY (device, secret)
);
CREATE TABLE recovery_codes (
    code TEXT NOT NULL PRIMARY KEY,
    identity TEXT NOT NULL,
    expires DOUBLE PRECISION NOT NULL
);
CREATE TABLE people (
    person TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    colour BIGINT NOT NULL,
    emblem BIGINT NOT NULL,
    hidden BIGINT NOT NULL DEFAULT 0,
    created DOUBLE PRECISION NOT NULL,
    stale BIGINT NOT NULL DEFAULT 0
);
CREATE TABLE holders (
    identity TEXT NOT NULL,
    person TEXT NOT NULL,
    PRIMARY KEY (identity, person)
) /*sqlite WITHOUT ROWID */;
CREATE INDEX holders_person ON holders (person);
CREATE TABLE person_codes (
    code TEXT NOT NULL PRIMARY KEY,
    person TEXT NOT NULL,
    expires DOUBLE PRECISION NOT NULL
);
CREATE TABLE players (
    game TEXT NOT NULL,
    seat BIGINT NOT NULL,
    person TEXT NOT NULL,
    PRIMARY KEY (game, seat)
) /*sqlite WITHOUT ROWID */;
CREATE INDEX players_person ON players (person);
CREATE TABLE results (
    game TEXT NOT NULL,
    seat BIGINT NOT NULL,
    room TEXT NOT NULL,
    person TEXT,
    bot TEXT,
    edition TEXT NOT NULL,
    title TEXT NOT NULL,
    text TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    family TEXT NOT NULL,
    ended DOUBLE PRECISION NOT NULL,
    total BIGINT NOT NULL,
    place BIGINT NOT NULL,
    players BIGINT NOT NULL,
    practice BIGINT NOT NULL,
    free BIGINT NOT NULL,
    assisted BIGINT NOT NULL,
    real_dice BIGINT NOT NULL,
    imported BIGINT NOT NULL,
    counts BIGINT NOT NULL,
    detail TEXT NOT NULL,
    luck BIGINT,
    lost BIGINT,
    level TEXT,
    reviewed BIGINT NOT NULL DEFAULT 0,
    counted BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (game, seat)
);
CREATE INDEX results_person ON results (person, ended, game, edition, place);
CREATE INDEX results_edition ON results (person, edition, ended);
CREATE INDEX results_ended ON results (ended, game) WHERE seat = 0;
CREATE INDEX results_pending ON results (ended) WHERE reviewed = 0;
CREATE INDEX results_waiting ON results (game) WHERE counted < 1 + reviewed;
CREATE TABLE summaries (
    person TEXT NOT NULL,
    other TEXT NOT NULL,
    edition TEXT NOT NULL,
    version BIGINT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (person, other, edition)
);
CREATE INDEX summaries_other ON summaries (other);
CREATE INDEX heads_open ON heads (touched) WHERE closed = 0;
CREATE TABLE mistakes (
    person TEXT NOT NULL,
    game TEXT NOT NULL,
    event BIGINT NOT NULL,
    seat BIGINT NOT NULL,
    edition TEXT NOT NULL,
    theme TEXT NOT NULL,
    lost BIGINT NOT NULL,
    card TEXT NOT NULL,
    due DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (person, game, event)
) /*sqlite WITHOUT ROWID */;
CREATE INDEX mistakes_due ON mistakes (person, due);
CREATE INDEX mistakes_game ON mistakes (game);
CREATE TABLE searched_seats (
    game TEXT NOT NULL,
    seat BIGINT NOT NULL,
    PRIMARY KEY (game, seat)
) /*sqlite WITHOUT ROWID */;
CREATE TABLE answers (
    owner TEXT NOT NULL,
    kind TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    name TEXT NOT NULL,
    edition TEXT NOT NULL,
    theme TEXT NOT NULL,
    lost BIGINT NOT NULL,
    body TEXT NOT NULL,
    at DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (owner, kind, fingerprint, name)
) /*sqlite WITHOUT ROWID */;
CREATE TABLE tournaments (
    tournament TEXT NOT NULL PRIMARY KEY,
    version BIGINT NOT NULL,
    identity TEXT NOT NULL,
    body TEXT NOT NULL,
    touched DOUBLE PRECISION NOT NULL,
    house_rules TEXT,
    idle DOUBLE PRECISION NOT NULL DEFAULT 0
);
CREATE INDEX tournaments_identity ON tournaments (identity, touched);
INSERT INTO schema (version) VALUES (7);
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
