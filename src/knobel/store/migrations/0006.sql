-- What people practise: their own mistakes, and what they answered.

-- A decision of a reviewed game that cost something; its position is in the log of the game, at this event.
-- lost is in thousandths; card is its schedule as JSON, due when it is to be asked again.
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

-- The seats whose mistakes were looked for.
CREATE TABLE searched_seats (
    game TEXT NOT NULL,
    seat BIGINT NOT NULL,
    PRIMARY KEY (game, seat)
) /*sqlite WITHOUT ROWID */;

-- First answers: to the position of a day, to puzzles by their number, and totals in the game of a day.
-- owner is a person, or the terminal; lost is in thousandths, and the total in body as JSON.
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
