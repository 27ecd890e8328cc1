-- Coins that a gateway holds and that are no dollars, and what the ledger's `gateway` has for them (docs/funds.md, "Bitcoin").
create table funds.gateway_holding (
  gateway       text not null,
  asset         text not null,
  units         numeric not null,
  booked_micros bigint not null,
  -- Dollars of one coin when they were last valued.
  rate          numeric constraint gateway_holding_rate check (rate > 0),
  valued_at     timestamptz,
  -- A rate too far from the last to be booked before another one confirms it.
  doubted_rate  numeric constraint gateway_holding_doubted_rate check (doubted_rate > 0),
  doubted_at    timestamptz,
  constraint gateway_holding_pk primary key (gateway, asset),
  constraint gateway_holding_valued check ((rate is null) = (valued_at is null)),
  constraint gateway_holding_doubted check ((doubted_rate is null) = (doubted_at is null))
);
-- Where nothing was ever booked of it, it begins with nothing; elsewhere with what the gateway reports.
insert into funds.gateway_holding (gateway, asset, units, booked_micros)
select 'btcpay', 'BTC', 0, 0 where not exists (select from funds.deposit where gateway = 'btcpay' and booked_micros > 0);

-- What moved it, with the ledger's transfers in the same transaction.
create table funds.gateway_movement (
  id           bigint generated always as identity constraint gateway_movement_pk primary key,
  gateway      text not null,
  asset        text not null,
  kind         text not null constraint gateway_movement_kind
    check (kind in ('opening', 'payment', 'refund', 'payout', 'network_fee', 'revaluation', 'sale')),
  -- Signed: what the holding grew by.
  units        numeric not null,
  micros       bigint not null,
  units_after  numeric not null,
  micros_after bigint not null,
  -- What it is for: DP-7M2QX4, WD-7M2QX4, TM-7M2QX4, an hour.
  reference    text not null,
  -- Hash of what the gateway sent, whose network fee is asked for.
  transaction  text,
  at           timestamptz not null,
  constraint gateway_movement_holding foreign key (gateway, asset) references funds.gateway_holding
);
create index gateway_movement_of_reference on funds.gateway_movement (reference);
create index gateway_movement_sent on funds.gateway_movement (gateway, at) where kind = 'payout' and transaction is not null;
create unique index gateway_movement_fee_once on funds.gateway_movement (gateway, transaction) where kind = 'network_fee';

create or replace function funds.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'steps, approvals and movements of coins are append-only' using errcode = 'TWF01';
end $$;
create trigger append_only before update or delete or truncate on funds.gateway_movement
  for each statement execute function funds.refuse_change();
