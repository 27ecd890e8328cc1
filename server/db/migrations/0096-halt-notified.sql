-- Finance is emailed once of each asset halted at the exchange, of all of a round in one email; so it is kept of which
-- halts it was notified. Null while the asset is not halted, or finance not notified yet.
alter table trading.holding add column halt_notified_at timestamptz
  constraint holding_notified check (halt_notified_at is null or rejections > 0);

update trading.holding set halt_notified_at = halted_at where rejections > 0;
