-- The snapshot in which the balances of a block were read: what was committed between the close and then is in the value of its
-- equity points and no result of the session. A time cannot say so: what has begun by then may be committed later. Null in blocks
-- of before; those with a time alone keep what was booked, too.
alter table trading.booked_block add column booked_in pg_snapshot;
alter table trading.booked_block alter column booked_at drop default;
