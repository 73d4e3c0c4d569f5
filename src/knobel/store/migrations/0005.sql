-- People, who keep one identity across games, editions and devices, and what came of their games.

CREATE TABLE people (
    person TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    colour BIGINT NOT NULL,
    emblem BIGINT NOT NULL,
    hidden BIGINT NOT NULL DEFAULT 0,
    created DOUBLE PRECISION NOT NULL,
    stale BIGINT NOT NULL DEFAULT 0
);

-- Which identities of devices may speak for a person.
CREATE TABLE holders (
    identity TEXT NOT NULL,
    person TEXT NOT NULL,
    PRIMARY KEY (identity, person)
) /*sqlite WITHOUT ROWID */;

CREATE INDEX holders_person ON holders (person);

-- The hashes of codes with which another device gets a person, too.
CREATE TABLE person_codes (
    code TEXT NOT NULL PRIMARY KEY,
    person TEXT NOT NULL,
    expires DOUBLE PRECISION NOT NULL
);

-- Who played on which seat, from the beginning of a game.
CREATE TABLE players (
    game TEXT NOT NULL,
    seat BIGINT NOT NULL,
    person TEXT NOT NULL,
    PRIMARY KEY (game, seat)
) /*sqlite WITHOUT ROWID */;

CREATE INDEX players_person ON players (person);

-- What came of each seat of a game that was played to its end: derived from its log, except where imported is 1.
-- counts says whether statistics count it; luck, lost and level are thousandths, empty until the game is reviewed;
-- reviewed is 1 once that was tried; counted is how much of it stands in the summaries: 1 the result, 2 the review, too.
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

-- Statistics, derived from the results: of a person, of two people against each other, or of everybody (both empty).
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
