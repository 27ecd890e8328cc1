create schema operator;

-- ---- what takes two operators (product.md sections 2 and 10) ----

-- Only the decision is ever written after the proposal, and once.
create function operator.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'what was proposed and decided is not changed' using errcode = 'TWO01';
end $$;

-- A correction of a member's wallet.
create table operator.adjustment (
  id            bigint generated always as identity primary key,
  -- What a person quotes: AD-7M2QX4.
  reference     text not null constraint adjustment_reference_unique unique,
  member_id     bigint not null,
  wallet        text not null constraint adjustment_wallet check (wallet in ('primary', 'profit')),
  -- Positive into the wallet, negative out of it.
  signed_micros bigint not null constraint adjustment_moves check (signed_micros <> 0),
  reason        text not null constraint adjustment_has_reason check (reason <> ''),
  evidence      text not null constraint adjustment_has_evidence check (evidence <> ''),
  state         text not null default 'proposed'
                constraint adjustment_state check (state in ('proposed', 'posted', 'rejected', 'withdrawn')),
  version       integer not null default 1,
  proposed_by   bigint not null,
  proposed_at   timestamptz not null,
  decided_by    bigint,
  decided_at    timestamptz,
  note          text constraint adjustment_note_has_text check (note <> ''),
  transfer_id   bigint,
  constraint adjustment_decided check ((state = 'proposed') = (decided_by is null) and (decided_by is null) = (decided_at is null)),
  -- Two people, whatever the program says.
  constraint adjustment_two_people check (state not in ('posted', 'rejected') or decided_by <> proposed_by),
  constraint adjustment_withdrawn_by_own check (state <> 'withdrawn' or decided_by = proposed_by),
  constraint adjustment_posted check ((state = 'posted') = (transfer_id is not null)),
  constraint adjustment_rejected_says_why check ((state = 'rejected') = (note is not null))
);
create index adjustment_waiting on operator.adjustment (id) where state = 'proposed';
create index adjustment_of_member on operator.adjustment (member_id, id desc);
create trigger adjustment_decided_once before update on operator.adjustment for each row
  when (old.state <> 'proposed'
    or (old.id, old.reference, old.member_id, old.wallet, old.signed_micros, old.reason, old.evidence, old.proposed_by, old.proposed_at)
      is distinct from
      (new.id, new.reference, new.member_id, new.wallet, new.signed_micros, new.reason, new.evidence, new.proposed_by, new.proposed_at))
  execute function operator.refuse_change();
create trigger adjustment_stays before delete or truncate on operator.adjustment
  for each statement execute function operator.refuse_change();

-- The house's own money: between gateway and venue, capital in, revenue out.
create table operator.treasury_move (
  id            bigint generated always as identity primary key,
  -- What a person quotes: TM-7M2QX4.
  reference     text not null constraint treasury_move_reference_unique unique,
  kind          text not null constraint treasury_move_kind check (kind in ('venue_fund', 'venue_return', 'capital_in', 'revenue_out')),
  -- Of revenue that is taken out.
  source        text constraint treasury_move_source check (source in ('fee_revenue', 'withdrawal_fees')),
  amount_micros bigint not null constraint treasury_move_amount_positive check (amount_micros > 0),
  reason        text not null constraint treasury_move_has_reason check (reason <> ''),
  transaction   text not null constraint treasury_move_has_transaction check (transaction <> ''),
  state         text not null default 'proposed'
                constraint treasury_move_state check (state in ('proposed', 'posted', 'rejected', 'withdrawn')),
  version       integer not null default 1,
  proposed_by   bigint not null,
  proposed_at   timestamptz not null,
  decided_by    bigint,
  decided_at    timestamptz,
  note          text constraint treasury_move_note_has_text check (note <> ''),
  transfer_id   bigint,
  constraint treasury_move_source_of_revenue check ((kind = 'revenue_out') = (source is not null)),
  constraint treasury_move_decided check ((state = 'proposed') = (decided_by is null) and (decided_by is null) = (decided_at is null)),
  constraint treasury_move_two_people check (state not in ('posted', 'rejected') or decided_by <> proposed_by),
  constraint treasury_move_withdrawn_by_own check (state <> 'withdrawn' or decided_by = proposed_by),
  constraint treasury_move_posted check ((state = 'posted') = (transfer_id is not null)),
  constraint treasury_move_rejected_says_why check ((state = 'rejected') = (note is not null))
);
create index treasury_move_waiting on operator.treasury_move (id) where state = 'proposed';
create trigger treasury_move_decided_once before update on operator.treasury_move for each row
  when (old.state <> 'proposed'
    or (old.id, old.reference, old.kind, old.source, old.amount_micros, old.reason, old.transaction, old.proposed_by, old.proposed_at)
      is distinct from
      (new.id, new.reference, new.kind, new.source, new.amount_micros, new.reason, new.transaction, new.proposed_by, new.proposed_at))
  execute function operator.refuse_change();
create trigger treasury_move_stays before delete or truncate on operator.treasury_move
  for each statement execute function operator.refuse_change();

-- When an operator last read a member's page, so that the audit log says it once in ten minutes and not at every click.
create table operator.member_reading (
  operator_id bigint not null,
  member_id   bigint not null,
  read_at     timestamptz not null,
  primary key (operator_id, member_id)
);

-- ---- what runs without being asked ----

create schema jobs;

-- One row a loop or queue, written by whoever runs it.
create table jobs.health (
  name            text not null constraint health_pk primary key,
  kind            text not null constraint health_kind check (kind in ('loop', 'queue')),
  cron            text,
  -- After so long without a success something is wrong.
  overdue_seconds integer not null,
  first_seen_at   timestamptz not null,
  started_at      timestamptz,
  succeeded_at    timestamptz,
  failed_at       timestamptz,
  -- What kind of fault it was: its text may quote what nobody should read.
  fault           text constraint health_fault_is_a_word check (fault ~ '^[A-Za-z0-9_]{1,60}$'),
  failures        integer not null default 0,
  took_ms         integer,
  constraint health_cron_of_queue check ((kind = 'queue') = (cron is not null))
);

-- Runs that an operator asked for; taken by the next worker that looks.
create table jobs.request (
  name     text not null constraint request_pk primary key constraint request_of_job references jobs.health on delete cascade,
  asked_at timestamptz not null
);

-- ---- what a member is found by ----

create index member_email_begins on identity.member (lower(email) text_pattern_ops);
create index member_mobile_begins on identity.member (mobile_number text_pattern_ops);
-- People know the last digits of a number.
create index member_mobile_ends on identity.member (reverse(mobile_number) text_pattern_ops);
create index payout_address_begins on funds.payout_address (lower(address) text_pattern_ops);
create index withdrawal_transaction on funds.withdrawal (transaction) where transaction is not null;
create index withdrawal_payout_id on funds.withdrawal (payout_id) where payout_id is not null;
create index deposit_payment_id on funds.deposit (payment_id) where payment_id is not null;
create index deposit_invoice_id on funds.deposit (invoice_id) where invoice_id is not null;

create index mail_failed on notify.mail (id) where state = 'failed';
create index seal_horizon on ledger.seal (horizon);
