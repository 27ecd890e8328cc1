-- Exchange first (docs/product.md, section 3, "Execution venue"): no trade opens or closes before the exchange has filled an order for
-- it. What hedged trades that were filled on paper prices stays as it was written; its tables take nothing more.

-- Hedges that are under way belong to the version before.
do $$
begin
  if exists (select from trading.hedge_order where state in ('planned', 'sent'))
    or exists (select from trading.exposure where quantity > 0) then
    raise exception 'trades are open at the exchange, or hedge orders unfinished. Let the version before settle them first' using errcode = 'TWV01';
  end if;
end $$;

-- What the exchange holds of an asset. What hedges held becomes the residual.
create table trading.holding (
  symbol       text constraint holding_pk primary key,
  held         numeric not null default 0 constraint holding_held_not_negative check (held >= 0),
  -- The part of what members' positions moved at their prices that the exchange has answered.
  members_cash bigint not null default 0,
  -- Dollars that the exchange moved, exactly as it reported them, less the value of fees it took in third coins.
  venue_cash   numeric not null default 0,
  -- Posted to venue_result so far: markup and what the residual gained, less what it lost.
  result       bigint not null default 0,
  -- Orders that the exchange refused in a row; nothing is placed in the asset while there are any (asset_halted).
  rejections   int not null default 0,
  halted_at    timestamptz,
  halt_reason  text,
  -- Nothing is ordered before (real time).
  retry_at     timestamptz,
  -- Rounded down, so that the ledger never says more than the exchange has; less than a micro an asset in all.
  constraint holding_booked check (result = floor(venue_cash * 1000000) - members_cash),
  constraint holding_halted check (num_nonnulls(halted_at, halt_reason) = case when rejections > 0 then 2 else 0 end)
);
insert into trading.holding (symbol, held, members_cash, venue_cash, result)
  select symbol, held, members_cash, venue_cash, result from trading.hedge;

-- Everything of an asset that opens or closes at one instant, and the one order for it.
create table trading.batch (
  id                bigint generated always as identity constraint batch_pk primary key,
  symbol            text not null constraint batch_holding references trading.holding (symbol),
  session_day       date not null,
  -- `close`: a part of what is sold at the end of the session, for all of the asset's trades.
  kind              text not null constraint batch_kind check (kind in ('orders', 'close')),
  -- filled: the exchange is done and the prices stand; booked: so are trades and books. withdrawn: it never reached the
  -- exchange, and its trades wait again.
  state             text not null default 'planned' constraint batch_state
    check (state in ('planned', 'sent', 'filled', 'booked', 'withdrawn')),
  -- Market time; all other instants are real time.
  at                timestamptz not null,
  planned_at        timestamptz not null,
  mark              numeric not null,
  bid               numeric not null constraint batch_bid check (bid > 0),
  ask               numeric not null constraint batch_ask check (ask >= bid),
  taker_fee         numeric not null,
  spread_bps        int not null,
  -- What is wanted: micros and coins of the positions that open, coins of those that close; and the residual before.
  buy_micros        bigint not null,
  buy_coins         numeric not null,
  sell_coins        numeric not null,
  residual          numeric not null,
  -- The order; null where what is left after crossing is too little for one.
  side              text constraint batch_side check (side in ('buy', 'sell')),
  quantity          numeric constraint batch_quantity check (quantity > 0),
  limit_price       numeric constraint batch_limit check (limit_price > 0),
  is_whole          boolean not null,
  -- Chosen and committed before anything is sent: by it the exchange is asked what became of the order.
  client_order_id   text constraint batch_client_id_once unique,
  sends             int not null default 0,
  -- When somebody last began to send it; null when it certainly never arrived.
  sent_at           timestamptz,
  exchange_order_id text,
  -- What the exchange did: coins and dollars before its fee and with it, without sign.
  filled            numeric not null default 0,
  coins             numeric not null default 0,
  cost              numeric not null default 0,
  dollars           numeric not null default 0,
  -- Each side's price in its parts: before the exchange's fee, with it, and with the markup.
  buy_fill          numeric(30, 12),
  buy_net           numeric(30, 12),
  buy_price         numeric(30, 12),
  sell_fill         numeric(30, 12),
  sell_net          numeric(30, 12),
  sell_price        numeric(30, 12),
  -- How far it reaches; null: all of it.
  open_micros       bigint,
  settle_coins      numeric,
  -- Market time of the booking's trades, and why it was given up.
  filled_at         timestamptz,
  reason            text,
  booked_at         timestamptz,
  constraint batch_order check (num_nonnulls(side, quantity, limit_price, client_order_id) in (0, 4)),
  constraint batch_filled check ((filled_at is null) = (state in ('planned', 'sent', 'withdrawn'))),
  constraint batch_booked check ((booked_at is null) = (state <> 'booked')),
  constraint batch_reason check ((reason is not null) = (state = 'withdrawn')),
  constraint batch_not_more_than_ordered check (filled between 0 and coalesce(quantity, 0))
);
-- At most one an asset is under way: what it will fill is not known, so nothing can be planned beside it.
create unique index batch_unfinished on trading.batch (symbol) where state in ('planned', 'sent', 'filled');
create index batch_of_session on trading.batch (session_day, id);

-- What the exchange filled, as it reported it.
create table trading.batch_fill (
  batch_id          bigint not null constraint batch_fill_batch references trading.batch,
  exchange_trade_id text not null,
  quantity          numeric not null constraint batch_fill_quantity check (quantity > 0),
  cost              numeric not null constraint batch_fill_cost check (cost > 0),
  fee_quantity      numeric not null,
  fee_coin          text,
  -- In the coin traded: fewer coins came, or more went.
  is_fee_in_coin    boolean not null,
  -- Of a fee in a third coin its value at that coin's price then, in micros; null for one in dollars or in the coin traded.
  fee_value         bigint,
  filled_at         timestamptz not null,
  constraint batch_fill_pk primary key (batch_id, exchange_trade_id),
  constraint batch_fill_fee check ((fee_quantity = 0) = (fee_coin is null) and (fee_value is null or fee_coin is not null))
);
create function trading.refuse_fill_change() returns trigger language plpgsql as $$
begin
  raise exception 'fills are append-only' using errcode = 'TWV02';
end $$;
create trigger append_only before update or delete or truncate on trading.batch_fill
  for each statement execute function trading.refuse_fill_change();

-- What of an asset is sold at the end of a session, in parts, before its trades settle at the average.
create table trading.closing_sale (
  session_day date not null,
  symbol      text not null,
  -- Of the session: half of it is the markup.
  spread_bps  int not null,
  -- Coins sold and dollars got for them, the exchange's fee taken off.
  sold        numeric not null default 0,
  dollars     numeric not null default 0,
  -- Before the fee, for people.
  cost        numeric not null default 0,
  -- When all of it was sold, and when all its trades had their result (real time).
  done_at     timestamptz,
  settled_at  timestamptz,
  constraint closing_sale_pk primary key (session_day, symbol)
);
create index closing_sale_unsettled on trading.closing_sale (symbol) where settled_at is null;

alter table trading.trade
  -- The batch that opens it (queued) or sells it (open) right now; null while none does.
  add column batch_id bigint,
  -- The batches that did.
  add column open_batch_id bigint,
  add column close_batch_id bigint,
  -- Of a position that is sold in several batches: coins sold so far, dollars got for them without the markup.
  add column sold_coins numeric,
  add column sold_dollars numeric,
  -- `answered_ms` of the venue when it was first tried and not filled.
  add column tried_at_ms bigint,
  -- Not sold when the next session opened: it counts in the one in which it closes.
  add column carried boolean not null default false,
  drop constraint trade_cancel_reason,
  add constraint trade_cancel_reason check (cancel_reason in
    ('member', 'asset_off', 'frozen', 'own_limit', 'venue_down', 'halted', 'session_closed', 'not_filled', 'over_asset_limit')),
  add constraint trade_batch check (batch_id is null or state in ('queued', 'open')),
  add constraint trade_sold check ((sold_coins is null) = (sold_dollars is null));
create index trade_batch on trading.trade (batch_id, id) where batch_id is not null;
create index trade_sold_in_part on trading.trade (symbol) where sold_coins is not null and state = 'open';

alter table trading.venue
  -- How long it answered while sessions were open, in milliseconds: what is not filled waits so long.
  add column answered_ms bigint not null default 0,
  -- Dollars that orders can use, as it last said, and when.
  add column free_dollars numeric,
  add column free_at timestamptz;

-- Dollars that one order could buy of an asset within the largest slippage, as the order book last said.
create table trading.depth (
  symbol      text constraint depth_pk primary key,
  buy_micros  bigint not null,
  sell_micros bigint not null,
  measured_at timestamptz not null
);
