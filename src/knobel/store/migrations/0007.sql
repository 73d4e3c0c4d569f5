-- Tournaments: who may change one, and all of it as JSON; house_rules is the file its rounds are played by.
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
