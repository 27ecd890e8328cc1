-- Bitcoin of a gateway that the house sells at the exchange, on two operators' word (docs/funds.md, "Bitcoin"): one order, which is a
-- batch without trades.
alter table trading.batch
  drop constraint batch_kind,
  add constraint batch_kind check (kind in ('orders', 'close', 'house'));

create table trading.coin_sale (
  id          bigint generated always as identity constraint coin_sale_pk primary key,
  -- Of the proposal, and where the coins came from.
  reference   text not null constraint coin_sale_once unique,
  gateway     text not null,
  symbol      text not null,
  quantity    numeric not null constraint coin_sale_quantity check (quantity > 0),
  limit_price numeric not null constraint coin_sale_limit check (limit_price > 0),
  batch_id    bigint constraint coin_sale_batch references trading.batch constraint coin_sale_batch_once unique,
  -- Once it is over: coins that went, the dollars that came for them net of the exchange's fee, and why the rest did not go.
  sold        numeric,
  dollars     numeric,
  reason      text,
  ended_at    timestamptz,
  constraint coin_sale_ended check (num_nonnulls(sold, dollars, ended_at) in (0, 3))
);
-- One at a time.
create unique index coin_sale_waiting on trading.coin_sale (symbol) where ended_at is null;

alter table approvals.proposal
  drop constraint proposal_treasury,
  add constraint proposal_treasury check (kind <> 'treasury' or coalesce(
    payload->>'kind' in ('venue_fund', 'venue_return', 'capital_in', 'revenue_out', 'coin_sale')
    and (payload->>'amountMicros')::bigint > 0 and payload->>'transaction' <> ''
    and (payload->>'kind' = 'revenue_out') = (payload->>'source' is not null)
    and (payload->>'kind' = 'coin_sale') = (payload->'sale' is not null)
    and coalesce(payload->>'source', 'fee_revenue') in ('fee_revenue', 'withdrawal_fees'), false));
