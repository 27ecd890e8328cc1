-- Turning off the two-factor authentication of a member who lost every factor (docs/product.md, section 8): a loosening that
-- waits seven days after its approval, in which any operator who may decide it may withdraw it.
alter table approvals.proposal
  drop constraint proposal_loosening,
  drop constraint proposal_withdrawn_by_own;
alter table approvals.proposal
  add constraint proposal_loosening check (kind <> 'loosening' or coalesce(
    payload->>'what' in ('unfreeze', 'lift_withdrawal_stop', 'verify', 'turn_off_two_factor'), false)),
  add constraint proposal_withdrawn_by_own check (
    state <> 'withdrawn' or kind in ('operator', 'email_change') or ended_by is not distinct from proposed_by
    or (kind = 'loosening' and (ended_by is null or approved_by is not null or not needs_approval)));
