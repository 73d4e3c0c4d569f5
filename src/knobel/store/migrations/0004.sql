-- What binds the cookie of a device to one origin of one browser.

-- Which seats whoever has both a cookie and a secret speaks for, each by its hash; and for how long nobody did.
CREATE TABLE devices (
    device TEXT NOT NULL,
    secret TEXT NOT NULL,
    identity TEXT NOT NULL UNIQUE,
    idle DOUBLE PRECISION NOT NULL DEFAULT 0,
    PRIMARY KEY (device, secret)
);

-- The hashes of codes with which the seats of one browser are moved to another.
CREATE TABLE recovery_codes (
    code TEXT NOT NULL PRIMARY KEY,
    identity TEXT NOT NULL,
    expires DOUBLE PRECISION NOT NULL
);
