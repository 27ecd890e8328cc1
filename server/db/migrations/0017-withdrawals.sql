-- ---- accounts ----

-- Set by an operator; live mode asks for it before money goes out (product.md section 5).
alter table identity.member add column verified_at timestamptz;
-- Last change of password, mail address or second factor: withdrawals wait 24 hours from it.
alter table identity.member add column security_changed_at timestamptz;

-- The authenticator app of an account. `last_step` is the newest time step whose code was taken: no code counts twice.
create table identity.totp (
  id           bigint generated always as identity primary key,
  member_id    bigint constraint totp_of_member unique constraint totp_member references identity.member,
  operator_id  bigint constraint totp_of_operator unique constraint totp_operator references identity.operator,
  secret       bytea not null constraint totp_secret check (length(secret) between 16 and 64),
  -- Null until a first code showed that the app has the secret.
  confirmed_at timestamptz,
  last_step    bigint not null default 0,
  created_at   timestamptz not null,
  constraint totp_of_one check (num_nonnulls(member_id, operator_id) = 1)
);

-- A sign-in between the right password and the code of the second factor.
create table identity.sign_in_challenge (
  token_hash    bytea primary key constraint sign_in_challenge_hash check (length(token_hash) = 32),
  member_id     bigint constraint sign_in_challenge_member references identity.member,
  operator_id   bigint constraint sign_in_challenge_operator references identity.operator,
  is_remembered boolean not null default false,
  tries         int not null default 0 constraint sign_in_challenge_tries check (tries between 0 and 5),
  expires_at    timestamptz not null,
  constraint sign_in_challenge_of_one check (num_nonnulls(member_id, operator_id) = 1)
);
create index sign_in_challenge_expires_at on identity.sign_in_challenge (expires_at);

-- ---- deposits ----

-- Where else than on the gateway's page an invoice can be paid: [{label, destination, payment_link, due, currency}].
alter table funds.deposit add column pay_ways jsonb;
-- Sent back by an operator; with the credited part never more than was booked.
alter table funds.deposit add column refunded_micros bigint not null default 0
  constraint deposit_refunded_positive check (refunded_micros >= 0);
-- Why an operator decided as they did, for the member to read.
alter table funds.deposit add column note text constraint deposit_note_has_text check (note <> '');
alter table funds.deposit add constraint deposit_booked_covers_all
  check (booked_micros >= coalesce(credited_micros, 0) + refunded_micros);
create index deposit_review on funds.deposit (id) where state = 'review';

-- ---- where money goes out to ----

-- Every address a member ever saved; the newest is the one in force. Each save mails a token to the member that opens
-- the page with the button *This was not me*; only its hash is kept.
create table funds.payout_address (
  id               bigint generated always as identity primary key,
  member_id        bigint not null,
  network          text not null constraint payout_address_network check (network in ('TRC20', 'BEP20', 'ERC20', 'BTC')),
  address          text not null constraint payout_address_is_one_line check (address ~ '^[[:graph:]]{10,120}$'),
  saved_at         timestamptz not null,
  replaced_at      timestamptz,
  alarm_hash       bytea not null constraint payout_address_alarm unique
                   constraint payout_address_alarm_hash check (length(alarm_hash) = 32),
  alarm_expires_at timestamptz not null
);
create unique index payout_address_in_force on funds.payout_address (member_id) where replaced_at is null;

-- Members whose withdrawals are stopped until an operator has looked into it.
create table funds.withdrawal_freeze (
  member_id bigint primary key,
  cause     text not null constraint withdrawal_freeze_cause check (cause in ('not_me', 'operator')),
  frozen_at timestamptz not null
);

-- One row: whether money goes out at all.
create table funds.payout_switch (
  only_row   boolean primary key default true constraint payout_switch_single check (only_row),
  stopped_at timestamptz,
  stopped_by bigint,
  why        text,
  constraint payout_switch_whole check (num_nonnulls(stopped_at, stopped_by, why) in (0, 3))
);
insert into funds.payout_switch default values;

-- ---- withdrawals ----

-- What a member asked for on one UTC day, less what was rejected, cancelled or failed: the limit of a day and the rule
-- of two operators both read this one row, which is locked while they do.
create table funds.withdrawal_day (
  member_id   bigint not null,
  day         date not null,
  live_micros bigint not null constraint withdrawal_day_not_negative check (live_micros >= 0),
  primary key (member_id, day)
);

create table funds.withdrawal (
  id                bigint generated always as identity primary key,
  member_id         bigint not null,
  -- What a person quotes: WD-7M2QX4.
  reference         text not null constraint withdrawal_reference_unique unique,
  wallet            text not null constraint withdrawal_wallet check (wallet in ('primary', 'profit')),
  amount_micros     bigint not null constraint withdrawal_amount_positive check (amount_micros > 0),
  fee_micros        bigint not null,
  fee_plan_id       integer not null,
  network           text not null constraint withdrawal_network check (network in ('TRC20', 'BEP20', 'ERC20', 'BTC')),
  address           text not null,
  state             text not null constraint withdrawal_state_known check (state in
                      ('requested', 'approved', 'sent', 'completed', 'cancelled', 'rejected', 'uncertain', 'failed')),
  -- UTC day of the request.
  requested_on      date not null,
  -- How it is paid out: by the gateway's call, or by an operator who types in the transaction hash.
  payout_way        text constraint withdrawal_payout_way check (payout_way in ('gateway', 'hand')),
  -- The operator who took it to pay it by hand.
  handler_id        bigint,
  gateway           text,
  -- Committed before the gateway is asked: from here on money may be on its way.
  payout_started_at timestamptz,
  payout_id         text,
  transaction       text,
  -- Why it was rejected or failed, for the member to read.
  note              text constraint withdrawal_note_has_text check (note <> ''),
  -- Counts changes: an operator decides about what they saw, or not at all.
  version           integer not null default 1,
  -- When the gateway was last asked about its payout.
  checked_at        timestamptz,
  created_at        timestamptz not null,
  updated_at        timestamptz not null,
  constraint withdrawal_fee_leaves_something check (fee_micros >= 0 and fee_micros < amount_micros),
  constraint withdrawal_payout_unique unique (gateway, payout_id),
  constraint withdrawal_sent_has_way check (state not in ('sent', 'completed', 'uncertain') or payout_way is not null),
  constraint withdrawal_way_is_one check (
    (payout_way is null and num_nonnulls(handler_id, gateway, payout_started_at, payout_id) = 0)
    or (payout_way = 'hand' and handler_id is not null and num_nonnulls(gateway, payout_started_at, payout_id) = 0)
    or (payout_way = 'gateway' and handler_id is null and num_nonnulls(gateway, payout_started_at) = 2)),
  constraint withdrawal_refused_says_why check (state not in ('rejected', 'failed') or note is not null)
);
create index withdrawal_of_member on funds.withdrawal (member_id, id desc);
create index withdrawal_of_member_by_state on funds.withdrawal (member_id, state, id desc);
create index withdrawal_waiting on funds.withdrawal (state, id) where state in ('requested', 'approved', 'sent', 'uncertain');

create table funds.withdrawal_approval (
  withdrawal_id bigint not null constraint withdrawal_approval_withdrawal references funds.withdrawal,
  operator_id   bigint not null,
  approved_at   timestamptz not null,
  primary key (withdrawal_id, operator_id)
);

-- The life of a withdrawal, step by step, as the member reads it.
create table funds.withdrawal_step (
  id            bigint generated always as identity primary key,
  withdrawal_id bigint not null constraint withdrawal_step_withdrawal references funds.withdrawal,
  state         text not null,
  note          text,
  occurred_at   timestamptz not null
);
create index withdrawal_step_of_withdrawal on funds.withdrawal_step (withdrawal_id, id);

create function funds.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'steps and approvals are append-only' using errcode = 'TWF01';
end $$;
create trigger withdrawal_step_append_only before update or delete or truncate on funds.withdrawal_step
  for each statement execute function funds.refuse_change();
create trigger withdrawal_approval_append_only before update or delete or truncate on funds.withdrawal_approval
  for each statement execute function funds.refuse_change();

-- ---- the sandbox gateway's payouts: another party's books, as its invoices are ----

create table funds.sandbox_payout (
  id            text primary key,
  reference     text not null,
  network       text not null,
  address       text not null,
  amount_micros bigint not null constraint sandbox_payout_amount_positive check (amount_micros > 0),
  state         text not null constraint sandbox_payout_state check (state in ('AwaitingPayment', 'InProgress', 'Completed', 'Cancelled')),
  transaction   text,
  created_at    timestamptz not null,
  completes_at  timestamptz not null
);
create index sandbox_payout_of_reference on funds.sandbox_payout (reference);
