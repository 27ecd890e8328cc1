create schema funds;

-- A deposit is one invoice at a payment gateway (product.md section 4). What arrived is booked in the ledger; the
-- two sums here only repeat what the ledger's transfers `deposit/<id>/…` say, so that a step can be worked out from
-- one row.
create table funds.deposit (
  id              bigint generated always as identity primary key,
  member_id       bigint not null,
  -- What a person quotes: DP-7M2QX4.
  reference       text not null constraint deposit_reference_unique unique,
  amount_micros   bigint not null constraint deposit_amount_positive check (amount_micros > 0),
  state           text not null constraint deposit_state_known check (state in
                    ('created', 'pending', 'underpaid', 'credited', 'expired', 'review', 'refunded', 'rejected', 'failed')),
  -- Everything taken over from the gateway so far, into the primary wallet or into `unallocated`.
  booked_micros   bigint not null default 0,
  -- The part of it that went into the primary wallet; null before anything did.
  credited_micros bigint,
  gateway         text not null,
  invoice_id      text,
  pay_url         text,
  -- The gateway's name of the first payment that arrived.
  payment_id      text,
  expires_at      timestamptz not null,
  -- The caller's Idempotency-Key, so that a repeat continues the deposit that a crash left without an invoice.
  once_key        text,
  body_hash       text,
  -- Counts changes, so that an invoice fetched before another change is never applied after it.
  version         integer not null default 1,
  -- When the gateway was last asked about it by the reconciliation.
  checked_at      timestamptz,
  created_at      timestamptz not null,
  updated_at      timestamptz not null,
  constraint deposit_once unique (member_id, once_key),
  constraint deposit_invoice_unique unique (gateway, invoice_id),
  constraint deposit_booked_covers_credit check (booked_micros >= coalesce(credited_micros, 0)),
  constraint deposit_credited_positive check (credited_micros > 0),
  constraint deposit_credited_has_amount check (state <> 'credited' or credited_micros is not null)
);
create index deposit_of_member on funds.deposit (member_id, id desc);
create index deposit_of_member_by_state on funds.deposit (member_id, state, id desc);
create index deposit_open on funds.deposit (id) where state in ('created', 'pending', 'underpaid');
create index deposit_watched on funds.deposit (expires_at) where state not in ('created', 'pending', 'underpaid');

-- The tick under the risk disclosure, once for each member.
create table funds.risk_acceptance (
  member_id   bigint primary key,
  accepted_at timestamptz not null
);

-- ---- the sandbox gateway: another party's books, which only happen to live in this database ----

create table funds.invoice (
  id                text primary key,
  -- Opens the payment page to whoever holds it.
  token             text not null constraint invoice_token_unique unique,
  order_id          text not null,
  reference         text not null,
  amount_micros     bigint not null constraint invoice_amount_positive check (amount_micros > 0),
  return_path       text not null,
  status            text not null constraint invoice_status_known check (status in ('New', 'Processing', 'Settled', 'Expired', 'Invalid')),
  additional_status text not null constraint invoice_additional_status_known
                      check (additional_status in ('None', 'PaidLate', 'PaidPartial', 'Marked', 'PaidOver')),
  created_at        timestamptz not null,
  expires_at        timestamptz not null
);
create index invoice_of_order on funds.invoice (order_id);
create index invoice_waiting on funds.invoice (expires_at) where status = 'New';

create table funds.invoice_payment (
  id               text primary key,
  invoice_id       text not null references funds.invoice (id),
  amount_micros    bigint not null constraint invoice_payment_amount_positive check (amount_micros > 0),
  status           text not null constraint invoice_payment_status_known check (status in ('Processing', 'Settled', 'Invalid')),
  after_expiration boolean not null,
  received_at      timestamptz not null
);
create index invoice_payment_of_invoice on funds.invoice_payment (invoice_id, received_at);
create index invoice_payment_unconfirmed on funds.invoice_payment (received_at) where status = 'Processing';

-- Events on their way to the webhook. `next_attempt_at` is null once delivered or given up; while an attempt runs it
-- is the time at which that attempt counts as lost.
create table funds.invoice_event (
  id                   bigint generated always as identity primary key,
  invoice_id           text not null references funds.invoice (id),
  type                 text not null,
  fields               jsonb not null,
  original_delivery_id text not null,
  occurred_at          timestamptz not null,
  attempts             integer not null default 0,
  next_attempt_at      timestamptz,
  answer_status        integer,
  delivered_at         timestamptz
);
create index invoice_event_due on funds.invoice_event (id) where next_attempt_at is not null;

-- The secret that signs the sandbox's events, made once when none is configured, so that every process knows the same.
create table funds.sandbox_secret (
  only_row boolean primary key default true constraint sandbox_secret_single check (only_row),
  secret   text not null
);
