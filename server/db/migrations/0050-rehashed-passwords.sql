-- A password that is hashed again with stronger parameters is still the one that was checked a moment ago. Holds SHA-256 of
-- the hash before, a line feed and `password_hash`: any other change of the password makes it worth nothing.
alter table identity.member add column rehashed_from bytea;
alter table identity.operator add column rehashed_from bytea;
