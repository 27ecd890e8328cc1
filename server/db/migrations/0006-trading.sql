create schema trading;

-- One row a trading window (product.md section 3). Exactly one is not settled: the current or the next one.
create table trading.session (
  day             date primary key,
  opens_at        timestamptz not null,
  closes_at       timestamptz not null,
  state           text not null default 'scheduled' constraint session_state check (state in ('scheduled', 'open', 'settling', 'settled')),
  -- Market time of each change of state.
  opened_at       timestamptz,
  closed_at       timestamptz,
  settled_at      timestamptz,
  -- The fee plan in force when the session opened, in basis points; trades of this session use it to the end.
  trade_fee_bps   int,
  performance_fee_bps int,
  -- Members up to this id have their equity point, lifetime result and message of this session.
  booked_member_id bigint,
  -- Of all members with a settled trade so far: how many there are, and how many lost in all. Known once settled.
  traded_members  bigint,
  negative_members bigint,
  constraint session_window check (opens_at < closes_at),
  constraint session_opened check ((state = 'scheduled') = (opened_at is null) and (opened_at is null) = (trade_fee_bps is null)
    and (trade_fee_bps is null) = (performance_fee_bps is null)),
  constraint session_closed check ((state in ('scheduled', 'open')) = (closed_at is null) and (closed_at is null) = (booked_member_id is null)),
  constraint session_settled check ((state = 'settled') = (settled_at is not null) and (settled_at is null) = (traded_members is null)
    and (traded_members is null) = (negative_members is null))
);
create unique index session_unsettled on trading.session ((true)) where state <> 'settled';

-- Ticks up to this market time have been followed: fills use later ones only, never a mark that was known already.
create table trading.follower (
  one            boolean primary key default true constraint follower_one check (one),
  followed_until timestamptz not null
);

-- The closing mark of an asset, fixed once for all its trades of a session.
create table trading.closing_mark (
  session_day date not null references trading.session (day),
  symbol      text not null,
  mark        numeric(30, 12) not null,
  -- The mark less half the spread.
  close_price numeric(30, 12) not null,
  is_late     boolean not null,
  -- Market time the mark belongs to: the end of the minute it is the average of.
  marked_at   timestamptz not null,
  constraint closing_mark_positive check (mark >= close_price and close_price > 0),
  primary key (session_day, symbol)
);

create table trading.trade (
  id                 bigint generated always as identity primary key,
  member_id          bigint not null,
  symbol             text not null,
  wallet             text not null constraint trade_wallet check (wallet in ('primary', 'profit')),
  state              text not null default 'queued',
  amount             bigint not null constraint trade_amount check (amount > 0),
  -- Real time; all other instants of a trade are market time.
  placed_at          timestamptz not null,
  requested_at       timestamptz not null,
  -- The session that opened it. No foreign key here and below: every one of a million trades would lock the one row.
  session_day        date,
  fee                bigint,
  opened_at          timestamptz,
  open_price         numeric(30, 12),
  close_requested_at timestamptz,
  closed_at          timestamptz,
  close_price        numeric(30, 12),
  close_reason       text constraint trade_close_reason check (close_reason in ('session_close', 'close_now', 'late_price')),
  gross              bigint,
  performance_fee    bigint,
  result             bigint,
  cancelled_at       timestamptz,
  cancel_reason      text constraint trade_cancel_reason check (cancel_reason in ('member', 'asset_off', 'frozen', 'own_limit', 'venue_down')),
  constraint trade_state check (state in ('queued', 'open', 'settled', 'cancelled')),
  -- A state has exactly its columns.
  constraint trade_opened check (num_nonnulls(session_day, fee, opened_at, open_price) = case when state in ('open', 'settled') then 4 else 0 end),
  constraint trade_closed check (num_nonnulls(closed_at, close_price, close_reason, gross, performance_fee, result) = case when state = 'settled' then 6 else 0 end),
  constraint trade_cancelled check (num_nonnulls(cancelled_at, cancel_reason) = case when state = 'cancelled' then 2 else 0 end),
  constraint trade_close_request check (close_requested_at is null or state in ('open', 'settled')),
  -- The arithmetic of product.md section 2, as far as one row can say it.
  constraint trade_fee check (fee >= 0 and fee < amount),
  constraint trade_prices check (open_price > 0 and close_price > 0),
  constraint trade_result check (result = gross - fee - performance_fee),
  constraint trade_loss_bound check (gross >= fee - amount and performance_fee >= 0),
  constraint trade_order check (opened_at > requested_at and closed_at >= opened_at)
);
-- A member's list is read from the ends of these ranges, one a state: any page of any filter costs the same.
create index trade_member on trading.trade (member_id, state, id);
-- For the jobs, which go by id.
create index trade_queued on trading.trade (id) where state = 'queued';
create index trade_open on trading.trade (id) where state = 'open';
create index trade_closing on trading.trade (id) where state = 'open' and close_requested_at is not null;

-- Sums of a member's settled trades of one session, kept in the transaction that settles them.
create table trading.daily_result (
  member_id        bigint not null,
  session_day      date not null,
  trades           int not null,
  winning          int not null,
  losing           int not null,
  volume           bigint not null,
  result           bigint not null,
  trade_fees       bigint not null,
  performance_fees bigint not null,
  best_result      bigint not null,
  best_trade_id    bigint not null,
  worst_result     bigint not null,
  worst_trade_id   bigint not null,
  primary key (member_id, session_day)
);

-- Result of all settled trades of a member up to the last settled session.
create table trading.lifetime_result (
  member_id bigint primary key,
  trades    bigint not null,
  result    bigint not null
);

-- One point a session: all wallets and positions together.
create table trading.equity (
  member_id   bigint not null,
  session_day date not null,
  value       bigint not null,
  primary key (member_id, session_day)
);
