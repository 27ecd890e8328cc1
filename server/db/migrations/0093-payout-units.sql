-- Coins ordered for a payout at a gateway that pays in coins, with which what it reports is compared (docs/funds.md,
-- "Payouts"). Written before the order; null where a coin is a dollar.
alter table funds.withdrawal add column payout_units numeric
  constraint withdrawal_payout_units_positive check (payout_units > 0);
