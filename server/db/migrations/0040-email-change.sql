-- The link *This was not me* goes with every email about security, no longer with changed payout addresses alone. Only the
-- hash of its token is kept.
create table identity.stop_link (
  token_hash bytea primary key constraint stop_link_hash check (length(token_hash) = 32),
  member_id  bigint not null constraint stop_link_member references identity.member,
  -- Kind of the notification that it came with: `address_changed`.
  about      text not null constraint stop_link_has_about check (about <> ''),
  expires_at timestamptz not null
);
create index stop_link_member on identity.stop_link (member_id);
create index stop_link_expires_at on identity.stop_link (expires_at);
insert into identity.stop_link (token_hash, member_id, about, expires_at)
select alarm_hash, member_id, 'address_changed', alarm_expires_at from funds.payout_address;
alter table funds.payout_address drop column alarm_hash, drop column alarm_expires_at;

-- The address before the last change hears of everything for seven more days.
alter table identity.member
  add column email_before text,
  add column email_changed_at timestamptz,
  add constraint member_email_before check (email_before is null or email_changed_at is not null);

-- A member who lost the old mailbox asks for the change; while one is open, withdrawals are stopped.
create table identity.email_request (
  id           bigint generated always as identity primary key,
  member_id    bigint not null constraint email_request_member references identity.member,
  -- Null once the account is closed.
  email        text,
  requested_at timestamptz not null,
  ended_at     timestamptz,
  outcome      text constraint email_request_outcome check (outcome in ('changed', 'withdrawn', 'rejected')),
  constraint email_request_ended check ((ended_at is null) = (outcome is null))
);
create unique index email_request_open on identity.email_request (member_id) where ended_at is null;
create index email_request_waiting on identity.email_request (id) where ended_at is null;

-- The proposal to carry it out names the request; the address stays in its row, which is blanked with the account.
alter table approvals.proposal
  add constraint proposal_email_change check (kind <> 'email_change' or coalesce(
    member_id is not null and (payload->>'requestId')::bigint > 0, false));
create unique index proposal_one_email_change on approvals.proposal (member_id)
  where kind = 'email_change' and state in ('proposed', 'approved');
