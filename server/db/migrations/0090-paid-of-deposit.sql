-- What the gateway has seen of a deposit, confirmed or not: an underpaid one says what is missing. Null before it was asked.
alter table funds.deposit add column paid_micros bigint check (paid_micros >= 0);
