-- House-rule files are stored once, by the SHA-256 of their text; rooms and games refer to them.
-- The documents of the rooms are rewritten by room_upgrade.py.

CREATE TABLE house_rules (
    fingerprint TEXT NOT NULL PRIMARY KEY,
    text TEXT NOT NULL,
    stored DOUBLE PRECISION NOT NULL
);

ALTER TABLE rooms ADD COLUMN house_rules TEXT;

ALTER TABLE games ADD COLUMN house_rules TEXT;

ALTER TABLE events RENAME COLUMN asked TO request_body;
