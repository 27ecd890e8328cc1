-- The execution venue (product.md section 3, docs/venue.md): what members' open trades add up to, what the exchange
-- holds against it, and every order in between. Quantities are coins, money of the ledger is bigint micros; what the
-- exchange reports stays the exact decimal it reported.

-- The net of all members' trades of an asset, kept by the transactions that open and settle them. The engine alone
-- writes here and the hedge alone writes trading.hedge, so that neither waits for the other.
create table trading.exposure (
  symbol       text primary key,
  -- Σ (amount − fee) ÷ open_price of the open trades, each rounded to 12 decimals, so that a trade takes away exactly
  -- what it added.
  quantity     numeric not null constraint exposure_quantity_not_negative check (quantity >= 0),
  -- What members' positions moved at the product's prices: − (amount − fee) when one opens, + proceeds when it settles.
  members_cash bigint not null
);

-- What the exchange did for it so far.
create table trading.hedge (
  symbol       text primary key,
  -- Coins the exchange holds for members.
  held         numeric not null default 0 constraint hedge_held_not_negative check (held >= 0),
  -- The part of exposure.members_cash that fills have answered.
  members_cash bigint not null default 0,
  -- Dollars the exchange moved, exactly as it reported them, less the value of fees it took in third coins.
  venue_cash   numeric not null default 0,
  -- Posted to venue_result so far: rebates less fees.
  result       bigint not null default 0,
  -- How often trades that met each other inside were booked without a fill.
  nettings     int not null default 0,
  -- Rejected orders in a row, and until when none is sent (real time).
  rejections   int not null default 0,
  retry_at     timestamptz,
  -- Rounded down, so that the ledger never says more than the exchange has; less than a micro an asset in all.
  constraint hedge_booked check (result = floor(venue_cash * 1000000) - members_cash)
);

create table trading.hedge_order (
  id                bigint generated always as identity primary key,
  -- Chosen and committed before anything is sent: by it the exchange is asked what became of the order.
  client_order_id   text not null constraint hedge_order_client_id_once unique,
  symbol            text not null references trading.hedge (symbol),
  side              text not null constraint hedge_order_side check (side in ('buy', 'sell')),
  quantity          numeric not null constraint hedge_order_quantity check (quantity > 0),
  -- What this quantity moved at the product's prices: the share of members_cash that its fills answer.
  members_cash      bigint not null,
  -- The mark when it was planned; for people.
  mark              numeric not null,
  state             text not null default 'planned'
    constraint hedge_order_state check (state in ('planned', 'sent', 'filled', 'partly_filled', 'rejected', 'withdrawn')),
  sends             int not null default 0,
  -- When somebody last began to send it; null when it certainly never arrived.
  sent_at           timestamptz,
  exchange_order_id text,
  filled            numeric not null default 0,
  -- Coins its fills changed in trading.hedge.held, without sign, and the share they answered.
  held_change       numeric not null default 0,
  answered_cash     bigint not null default 0,
  -- The exchange's words when it rejected it, ours when it was withdrawn.
  reason            text,
  planned_at        timestamptz not null,
  finished_at       timestamptz,
  constraint hedge_order_finished check ((finished_at is null) = (state in ('planned', 'sent'))),
  constraint hedge_order_known check (exchange_order_id is not null or state in ('planned', 'rejected', 'withdrawn')),
  constraint hedge_order_filled check (filled between 0 and quantity and (state <> 'filled' or filled = quantity)),
  constraint hedge_order_reason check ((reason is not null) = (state in ('rejected', 'withdrawn')))
);
-- At most one order an asset is under way: what it will fill is not known, so nothing can be planned beside it.
create unique index hedge_order_unfinished on trading.hedge_order (symbol) where state in ('planned', 'sent');

create table trading.hedge_fill (
  order_id          bigint not null references trading.hedge_order (id),
  exchange_trade_id text not null,
  quantity          numeric not null constraint hedge_fill_quantity check (quantity > 0),
  cost              numeric not null constraint hedge_fill_cost check (cost >= 0),
  fee_quantity      numeric not null,
  fee_coin          text,
  -- Of a fee in a third coin its value at that coin's price then; null for one in dollars or in the coin traded.
  fee_value         bigint,
  -- Signed change of trading.hedge.held, the share answered and what went to venue_result.
  held_change       numeric not null,
  answered_cash     bigint not null,
  result            bigint not null,
  filled_at         timestamptz not null,
  booked_at         timestamptz not null,
  constraint hedge_fill_pk primary key (order_id, exchange_trade_id),
  constraint hedge_fill_fee check ((fee_quantity = 0) = (fee_coin is null) and (fee_value is null or fee_coin is not null))
);

-- Whether the exchange answers: one row. Times are real time.
create table trading.venue (
  one        boolean primary key default true constraint venue_one check (one),
  state      text not null constraint venue_state check (state in ('up', 'down')),
  since      timestamptz not null,
  -- Why it is down.
  reason     text,
  -- Calls that failed in a row.
  failures   int not null default 0,
  asked_at   timestamptz,
  -- Nothing is sent before: the exchange asked for a pause, or did not answer.
  wait_until timestamptz,
  -- The worker that speaks to the exchange.
  holder     text,
  held_until timestamptz,
  constraint venue_reason check ((reason is not null) = (state = 'down'))
);
insert into trading.venue (state, since, reason) values ('down', now(), 'The exchange has not been asked yet.');
