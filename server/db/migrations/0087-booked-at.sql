-- When the balances of a block were read, in real time: what a member put in or took out between the close and then is in the
-- value of its equity points and no result of the session. Null in blocks of before.
alter table trading.booked_block add column booked_at timestamptz;
alter table trading.booked_block alter column booked_at set default clock_timestamp();
