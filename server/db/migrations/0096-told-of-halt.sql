-- Finance is emailed once of each asset halted at the exchange, of all of a round in one email; so it must be kept which
-- halts it has been told of. Null while the asset is not halted, or not told of yet.
alter table trading.holding add column halt_told_at timestamptz
  constraint holding_told check (halt_told_at is null or rejections > 0);

update trading.holding set halt_told_at = halted_at where rejections > 0;
