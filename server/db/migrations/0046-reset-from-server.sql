-- Whoever runs the server asks for a reset of an operator who lost everything. No operator proposed it: it carries whom it
-- is about as its proposer, says so in its payload, and waits for its time without an approval.
alter table approvals.proposal drop constraint proposal_not_oneself;
alter table approvals.proposal add constraint proposal_not_oneself check (
  proposed_by is distinct from operator_id
  or coalesce(kind = 'operator' and not needs_approval and payload->>'kind' = 'reset' and payload->>'from' = 'server', false));
