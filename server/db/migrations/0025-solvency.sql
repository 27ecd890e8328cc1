-- Sealed sums of what members are owed, what gateway and exchange report, and the checks of the books (docs/solvency.md).
create schema solvency;

-- ---- the bytes that are hashed (contract/solvency/merkle-sum.ts makes the same ones, and checks these) ----

create function solvency.field(content bytea) returns bytea
language sql immutable strict parallel safe as $$ select int4send(octet_length(content)) || content $$;

create function solvency.leaf_hash(snapshot_no bigint, referral_code text, balances bigint[], nonce bytea) returns bytea
language sql immutable strict parallel safe as $$
  select sha256('\x00'::bytea || solvency.field(convert_to('tradewind/leaf/1', 'UTF8')) || solvency.field(int8send(snapshot_no))
    || solvency.field(convert_to(referral_code, 'UTF8')) || solvency.field(int8send(balances[1])) || solvency.field(int8send(balances[2]))
    || solvency.field(int8send(balances[3])) || solvency.field(int8send(balances[4])) || solvency.field(int8send(balances[5]))
    || solvency.field(nonce))
$$;

create function solvency.node_hash(left_sum bigint, left_hash bytea, right_sum bigint, right_hash bytea) returns bytea
language sql immutable strict parallel safe as $$
  select sha256('\x01'::bytea || solvency.field(int8send(left_sum)) || solvency.field(left_hash)
    || solvency.field(int8send(right_sum)) || solvency.field(right_hash))
$$;

-- What completes a level with an odd number of nodes.
create function solvency.empty_hash() returns bytea
language sql immutable parallel safe as $$ select sha256('\x02'::bytea) $$;

-- ---- snapshots ----

-- One Merkle sum tree over all members; kept for ever.
create table solvency.snapshot (
  no                 bigint primary key constraint snapshot_no_positive check (no > 0),
  kind               text not null constraint snapshot_kind check (kind in ('daily', 'asked')),
  market_day         date not null,
  taken_at           timestamptz(3) not null,
  leaves             int not null constraint snapshot_counts_somebody check (leaves > 0),
  root_sum           bigint not null,
  root_hash          bytea not null constraint snapshot_root_hash check (length(root_hash) = 32),
  -- What the ledger's flows say that members are owed, in the same state of the database.
  liabilities        bigint not null,
  ledger_seal_no     bigint not null,
  ledger_seal_hash   bytea not null constraint snapshot_ledger_seal_hash check (length(ledger_seal_hash) = 32),
  previous_hash      bytea not null constraint snapshot_previous_hash check (length(previous_hash) = 32),
  hash               bytea not null constraint snapshot_hash check (length(hash) = 32),
  constraint snapshot_counts_everybody check (root_sum = liabilities)
);
-- Exactly one a market day, whatever runs, is killed and runs again.
create unique index snapshot_daily on solvency.snapshot (market_day) where kind = 'daily';

create function solvency.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'snapshots are append-only' using errcode = 'TWS01';
end $$;
create trigger append_only before update or delete or truncate on solvency.snapshot
  for each statement execute function solvency.refuse_change();

-- The nodes of the last snapshots, level 0 being the leaves. A ring of eight: snapshot n lies in slot n mod 8, which is
-- emptied before it is filled, so that the seven others can be read meanwhile and no row is ever deleted one by one.
create table solvency.node (
  slot      smallint not null,
  level     smallint not null,
  position  int not null,
  sum       bigint not null constraint node_sum_not_negative check (sum >= 0),
  hash      bytea not null,
  -- Of leaves only: whose it is, and the balances in the order of `leafAccounts`.
  member_id bigint,
  balances  bigint[],
  constraint node_pk primary key (slot, level, position),
  constraint node_leaf_is_a_member check ((level = 0) = (member_id is not null) and (level = 0) = (balances is not null))
) partition by list (slot);
create table solvency.node_0 partition of solvency.node for values in (0);
create table solvency.node_1 partition of solvency.node for values in (1);
create table solvency.node_2 partition of solvency.node for values in (2);
create table solvency.node_3 partition of solvency.node for values in (3);
create table solvency.node_4 partition of solvency.node for values in (4);
create table solvency.node_5 partition of solvency.node for values in (5);
create table solvency.node_6 partition of solvency.node for values in (6);
create table solvency.node_7 partition of solvency.node for values in (7);
-- A member is counted once.
create unique index node_member on solvency.node (slot, member_id) where level = 0;

-- ---- what is reported ----

-- Answers of gateway and exchange about what they hold, in micros; no row for what was not answered.
create table solvency.report (
  id          bigint generated always as identity primary key,
  source      text not null constraint report_source check (source in ('gateway', 'venue')),
  micros      bigint not null,
  reported_at timestamptz not null
);
create index report_newest on solvency.report (source, id desc);

-- ---- the integrity checker ----

create schema integrity;

create table integrity.run (
  id          bigint generated always as identity primary key,
  scope       text not null constraint run_scope check (scope in ('new', 'whole')),
  state       text not null constraint run_state check (state in ('asked', 'running', 'passed', 'failed', 'broken')),
  asked_by    bigint,
  started_at  timestamptz not null,
  finished_at timestamptz,
  -- The ledger's last seal when it began: where the next run that looks at what is new begins.
  seal_no     bigint,
  seal_hash   bytea,
  -- [{check, duration_ms, findings}]
  checks      jsonb not null default '[]',
  constraint run_finished check ((finished_at is null) = (state in ('asked', 'running')))
);
create unique index run_asked_once on integrity.run (state) where state = 'asked';
create index run_passed on integrity.run (id desc) where state = 'passed';

create table integrity.finding (
  id         bigint generated always as identity primary key,
  run_id     bigint not null constraint finding_run references integrity.run,
  check_name text not null,
  subject    text not null,
  message    text not null
);
create index finding_of_run on integrity.finding (run_id);

-- What stands in the way of payouts. A row goes when the books are right again; that payouts were stopped stays, until a
-- person lets them go on.
create table integrity.alarm (
  cause     text primary key constraint alarm_cause check (cause in ('solvency', 'integrity')),
  why       text not null,
  raised_at timestamptz not null
);

-- ---- payouts that the system stopped ----

-- Nobody stopped them but an alarm: `stopped_by` is null. `alarm`: while it is there, nobody lets them go on.
alter table funds.payout_switch drop constraint payout_switch_whole;
alter table funds.payout_switch add column alarm text;
alter table funds.payout_switch add constraint payout_switch_whole check (
  num_nonnulls(stopped_at, why) in (0, 2) and (stopped_by is null or stopped_at is not null) and (alarm is null or stopped_at is not null));
