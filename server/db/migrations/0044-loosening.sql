-- Two more kinds that take a second operator: lifting a restriction of a member (`loosening`), and what a support operator
-- wants announced. `email_change` is listed whichever of the two migrations came first.
alter table approvals.proposal
  drop constraint proposal_kind,
  drop constraint proposal_withdrawn_by_own,
  drop constraint proposal_about;
alter table approvals.proposal
  add constraint proposal_kind check (
    kind in ('adjustment', 'treasury', 'fee_plan', 'operator', 'email_change', 'loosening', 'announcement')),
  -- One that waits for its time alone is stopped by whoever sees it; one that came to nothing ends by itself.
  add constraint proposal_withdrawn_by_own check (
    state <> 'withdrawn' or kind in ('operator', 'email_change') or ended_by is not distinct from proposed_by
    or (kind = 'loosening' and (ended_by is null or not needs_approval))),
  add constraint proposal_about check (
    (kind = 'email_change' or (kind in ('adjustment', 'loosening')) = (member_id is not null))
    and (kind = 'operator' or operator_id is null)),
  add constraint proposal_loosening check (kind <> 'loosening' or coalesce(
    payload->>'what' in ('unfreeze', 'lift_withdrawal_stop', 'verify'), false)),
  add constraint proposal_announcement check (kind <> 'announcement' or coalesce(
    payload->>'title' <> '' and payload->>'text' <> '' and payload->>'endsAt' <> '', false));

-- What comes of these may come of several: an operator, a member.
drop index approvals.proposal_result;
create unique index proposal_result on approvals.proposal (kind, result_id)
  where kind not in ('operator', 'loosening', 'email_change');
create unique index proposal_one_loosening on approvals.proposal (member_id, (payload->>'what'))
  where kind = 'loosening' and state in ('proposed', 'approved');
