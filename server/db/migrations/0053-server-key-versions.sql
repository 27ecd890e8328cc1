-- Keys have versions: the newest is used, and rows name the one they were made with (docs/operations.md, "Secrets").
alter table identity.server_key add column version int not null default 1 constraint server_key_version check (version > 0);
alter table identity.server_key alter column version drop default;
alter table identity.server_key drop constraint server_key_pkey;
alter table identity.server_key add constraint server_key_pk primary key (name, version);

alter table identity.otp add column key_version int not null default 1;
alter table identity.otp alter column key_version drop default;
-- Of the key that nonces come from. Proofs that members kept carry their nonce and need no key.
alter table solvency.snapshot add column key_version int not null default 1;
alter table solvency.snapshot alter column key_version drop default;
