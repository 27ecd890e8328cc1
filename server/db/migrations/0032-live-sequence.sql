-- The sequence of an unlogged table is unlogged as well, and a standby that is promoted before its first restartpoint is
-- left with an empty file for it: every write that tells members something fails there, for good. A sequence of its own
-- is logged. The old one is dropped without being read, so that this also mends a server that is in that state.
alter table live.event alter column id drop identity;
create sequence live.event_number as bigint;
alter table live.event alter column id set default nextval('live.event_number');
