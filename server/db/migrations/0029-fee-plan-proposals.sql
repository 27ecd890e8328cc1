-- A fee plan takes two admins (product.md section 10): one proposes it, and only what another approves is written.
create table operator.fee_plan_proposal (
  id            bigint generated always as identity primary key,
  -- What a person quotes: FP-7M2QX4.
  reference     text not null constraint fee_plan_proposal_reference_unique unique,
  -- As the call carries them; what they must hold is checked by the program at both ends and by trading.fee_plan when it is written.
  terms         jsonb not null constraint fee_plan_proposal_terms check (jsonb_typeof(terms) = 'object'),
  -- The newest plan then, of trading.fee_plan: the proposal follows this one or none.
  base_plan_id  integer not null,
  -- Becomes the note of the plan.
  reason        text not null constraint fee_plan_proposal_has_reason check (reason <> ''),
  state         text not null default 'proposed'
                constraint fee_plan_proposal_state check (state in ('proposed', 'posted', 'rejected', 'withdrawn')),
  version       integer not null default 1,
  proposed_by   bigint not null,
  proposed_at   timestamptz not null,
  decided_by    bigint,
  decided_at    timestamptz,
  note          text constraint fee_plan_proposal_note_has_text check (note <> ''),
  -- The plan it became, of trading.fee_plan.
  plan_id       integer constraint fee_plan_proposal_plan_unique unique,
  constraint fee_plan_proposal_decided
    check ((state = 'proposed') = (decided_by is null) and (decided_by is null) = (decided_at is null)),
  -- Two people, whatever the program says.
  constraint fee_plan_proposal_two_people check (state not in ('posted', 'rejected') or decided_by <> proposed_by),
  constraint fee_plan_proposal_withdrawn_by_own check (state <> 'withdrawn' or decided_by = proposed_by),
  constraint fee_plan_proposal_posted check ((state = 'posted') = (plan_id is not null)),
  constraint fee_plan_proposal_follows_its_base check (plan_id > base_plan_id),
  constraint fee_plan_proposal_rejected_says_why check ((state = 'rejected') = (note is not null))
);
create index fee_plan_proposal_waiting on operator.fee_plan_proposal (id) where state = 'proposed';
create trigger fee_plan_proposal_decided_once before update on operator.fee_plan_proposal for each row
  when (old.state <> 'proposed'
    or (old.id, old.reference, old.terms, old.base_plan_id, old.reason, old.proposed_by, old.proposed_at)
      is distinct from
      (new.id, new.reference, new.terms, new.base_plan_id, new.reason, new.proposed_by, new.proposed_at))
  execute function operator.refuse_change();
create trigger fee_plan_proposal_stays before delete or truncate on operator.fee_plan_proposal
  for each statement execute function operator.refuse_change();
