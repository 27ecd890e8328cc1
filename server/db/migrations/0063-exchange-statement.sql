-- What the exchange says happened in our account, matched to what we booked (docs/exchanges.md, "Statement").

-- One row: what was asked for, and why the last attempt failed.
create table trading.statement (
  id       int not null default 1 constraint statement_pk primary key constraint statement_one check (id = 1),
  -- An operator wants it now: done once a statement covers this instant.
  asked_at timestamptz,
  fault    text,
  fault_at timestamptz,
  constraint statement_fault check ((fault is null) = (fault_at is null))
);
insert into trading.statement default values;

create table trading.statement_import (
  id           bigint generated always as identity constraint statement_import_pk primary key,
  -- ccxt's name of it.
  exchange     text not null,
  covered_from timestamptz not null,
  covered_to   timestamptz not null,
  imported_at  timestamptz not null,
  -- Lines of the statement, those that an earlier one had included.
  line_count   int not null,
  constraint statement_import_period check (covered_to > covered_from)
);
create index statement_import_covered on trading.statement_import (exchange, covered_to);

create table trading.statement_line (
  id              bigint generated always as identity constraint statement_line_pk primary key,
  import_id       bigint not null constraint statement_line_import references trading.statement_import,
  exchange        text not null,
  kind            text not null constraint statement_line_kind check (kind in ('fill', 'transfer_in', 'transfer_out', 'other')),
  -- Of a fill, whose ids are unique within it alone; empty for all others.
  pair            text not null,
  line_id         text not null,
  at              timestamptz not null,
  -- Null for a pair that is none of ours.
  symbol          text,
  coin            text not null,
  order_id        text,
  client_order_id text,
  side            text constraint statement_line_side check (side in ('buy', 'sell')),
  quantity        numeric constraint statement_line_quantity check (quantity > 0),
  cost            numeric constraint statement_line_cost check (cost > 0),
  fee             numeric not null,
  fee_coin        text,
  -- Signed: what the balance moved by.
  amount          numeric,
  transaction     text,
  -- The exchange's word.
  word            text not null,
  constraint statement_line_once unique (exchange, kind, pair, line_id),
  constraint statement_line_fill check (num_nonnulls(side, quantity, cost, order_id) = case when kind = 'fill' then 4 else 0 end
    and (amount is null) = (kind = 'fill'))
);
create index statement_line_of_import on trading.statement_line (import_id);

-- One line is one booking of ours.
create table trading.statement_match (
  line_id           bigint constraint statement_match_pk primary key constraint statement_match_line references trading.statement_line,
  batch_id          bigint,
  exchange_trade_id text,
  -- Of the treasury move that was posted.
  transfer_id       bigint constraint statement_match_transfer_once unique,
  import_id         bigint not null constraint statement_match_import references trading.statement_import,
  constraint statement_match_fill_once unique (batch_id, exchange_trade_id),
  constraint statement_match_fill foreign key (batch_id, exchange_trade_id) references trading.batch_fill,
  constraint statement_match_one check (num_nonnulls(batch_id, exchange_trade_id) in (0, 2) and (batch_id is null) = (transfer_id is not null))
);
create index statement_match_of_import on trading.statement_match (import_id);

create function trading.refuse_statement_change() returns trigger language plpgsql as $$
begin
  raise exception 'statements are append-only' using errcode = 'TWV03';
end $$;
create trigger append_only before update or delete or truncate on trading.statement_import
  for each statement execute function trading.refuse_statement_change();
create trigger append_only before update or delete or truncate on trading.statement_line
  for each statement execute function trading.refuse_statement_change();
create trigger append_only before update or delete or truncate on trading.statement_match
  for each statement execute function trading.refuse_statement_change();

-- What did not match when it was compared, until it does or two operators settle it.
create table trading.statement_finding (
  id                bigint generated always as identity constraint statement_finding_pk primary key,
  exchange          text not null,
  -- unmatched: a line that no booking is. differs: one whose booking has other figures. missing: a booking that is no line.
  kind              text not null constraint statement_finding_kind check (kind in ('unmatched', 'differs', 'missing')),
  line_id           bigint constraint statement_finding_line_once unique constraint statement_finding_line references trading.statement_line,
  batch_id          bigint,
  exchange_trade_id text,
  transfer_id       bigint constraint statement_finding_transfer_once unique,
  found_at          timestamptz not null,
  -- matched: a later import found its other side. booked, explained: as two operators said.
  state             text not null default 'open' constraint statement_finding_state check (state in ('open', 'matched', 'booked', 'explained')),
  closed_at         timestamptz,
  -- The proposal that settled it.
  proposal_id       bigint constraint statement_finding_settled_once unique,
  reference         text,
  -- What was posted for it, if anything was.
  posted_id         bigint,
  constraint statement_finding_fill_once unique (batch_id, exchange_trade_id),
  constraint statement_finding_fill foreign key (batch_id, exchange_trade_id) references trading.batch_fill,
  constraint statement_finding_sides check (
    (line_id is null) = (kind = 'missing')
    and num_nonnulls(batch_id, exchange_trade_id) in (0, 2)
    and num_nonnulls(batch_id, transfer_id) = case when kind = 'unmatched' then 0 else 1 end),
  constraint statement_finding_closed check ((closed_at is null) = (state = 'open')),
  constraint statement_finding_settled check (num_nonnulls(proposal_id, reference) = case when state in ('booked', 'explained') then 2 else 0 end
    and (posted_id is null or state = 'booked'))
);
create index statement_finding_open on trading.statement_finding (id) where state = 'open';
create index statement_finding_closed on trading.statement_finding (state, id) where state <> 'open';

-- Bookings of a covered period.
create index batch_fill_at on trading.batch_fill (filled_at);

alter table approvals.proposal drop constraint proposal_kind;
alter table approvals.proposal
  add constraint proposal_kind check (kind in
    ('adjustment', 'treasury', 'fee_plan', 'operator', 'email_change', 'loosening', 'announcement', 'reserve', 'venue_fill', 'asset_limits',
     'statement_line')),
  add constraint proposal_statement_line check (kind <> 'statement_line' or coalesce(
    payload->>'findingId' <> '' and payload->>'how' in ('booked', 'explained'), false));
