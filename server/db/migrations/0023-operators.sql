-- An operator who was invited has no password until the mailed link was used.
alter table identity.operator
  alter column password_hash drop not null,
  add column disabled_at timestamptz,
  -- When this operator first could decide as an admin. Stays when the role is lowered or the account disabled: if it did
  -- not, one of two admins could disable the other and then make new ones alone.
  add column admin_at timestamptz;

update identity.operator o set admin_at = t.confirmed_at
from identity.totp t
where t.operator_id = o.id and t.confirmed_at is not null and o.role = 'admin';

create index auth_session_operator_id on identity.auth_session (operator_id) where operator_id is not null;

-- What an admin wants done about an operator account and what becomes of it. Finance and admin accounts wait here for a
-- second admin and then for a day; whatever needs neither is written down and carried out in one transaction.
create table identity.operator_proposal (
  id             bigint generated always as identity primary key,
  kind           text not null constraint operator_proposal_kind check (kind in ('invite', 'raise', 'reset')),
  -- Null of an account that is still to be made.
  operator_id    bigint constraint operator_proposal_operator references identity.operator,
  name           text not null,
  email          text not null,
  role           text not null constraint operator_proposal_role check (role in ('support', 'finance', 'admin')),
  why            text not null,
  proposed_by    bigint not null constraint operator_proposal_proposer references identity.operator,
  proposed_at    timestamptz not null,
  needs_approval boolean not null,
  approved_by    bigint constraint operator_proposal_approver references identity.operator,
  approved_at    timestamptz,
  -- When it is carried out; null while it waits for approval.
  due_at         timestamptz,
  done_at        timestamptz,
  -- Null also where the disabling of an admin took it back: the audit log says by whom.
  withdrawn_by   bigint constraint operator_proposal_withdrawer references identity.operator,
  withdrawn_at   timestamptz,
  constraint operator_proposal_target check (operator_id is not null or kind = 'invite'),
  constraint operator_proposal_second_admin check (
    approved_by is null or (approved_by <> proposed_by and approved_by is distinct from operator_id)),
  constraint operator_proposal_not_oneself check (proposed_by is distinct from operator_id),
  constraint operator_proposal_approved check ((approved_by is null) = (approved_at is null)),
  constraint operator_proposal_due check ((due_at is null) = (needs_approval and approved_by is null)),
  constraint operator_proposal_one_end check (done_at is null or (due_at is not null and withdrawn_at is null))
);
create unique index operator_proposal_open on identity.operator_proposal (lower(email))
  where done_at is null and withdrawn_at is null;
create index operator_proposal_due_at on identity.operator_proposal (due_at)
  where done_at is null and withdrawn_at is null;

-- Mailed links that set a password; the newest of each operator.
create table identity.operator_invitation (
  token_hash  bytea primary key constraint operator_invitation_hash check (length(token_hash) = 32),
  operator_id bigint not null constraint operator_invitation_of_one unique
              constraint operator_invitation_operator references identity.operator,
  expires_at  timestamptz not null
);

-- The writing transaction, by which finished entries are told from those still being written.
alter table audit.entry add column tx bigint not null default pg_current_xact_id()::text::bigint;
create index entry_tx on audit.entry (tx, id);

-- Each filter runs down the same order, newest first, so that a page and a period cost the same wherever they are.
create index entry_created on audit.entry (created_at, id);
create index entry_action on audit.entry (action text_pattern_ops, created_at, id);
drop index audit.entry_subject;
create index entry_subject on audit.entry (subject, created_at, id);
drop index audit.entry_actor;
create index entry_actor on audit.entry (actor_kind, actor_id, created_at, id);

-- Every word of an entry, so that `anna` finds the mail address anna@mail.example and `17` the subject member:17.
create function audit.words(action text, subject text, before jsonb, after jsonb, address text)
returns tsvector language sql immutable parallel safe as $$
  select to_tsvector('simple'::regconfig,
    translate(action || ' ' || subject || ' ' || coalesce(before::text, '') || ' ' || coalesce(after::text, '')
      || ' ' || coalesce(address, ''), '.:_-/@+', '       '))
$$;
create index entry_words on audit.entry using gin (audit.words(action, subject, before, after, address));

-- A chain over the entries: each seal covers those whose transactions ended since the one before, and carries its hash.
create table audit.seal (
  no            bigint primary key constraint seal_no check (no > 0),
  -- Covers the entries of all transactions below this one that no earlier seal covers.
  horizon       bigint not null constraint seal_horizon unique,
  entry_count   bigint not null constraint seal_entry_count check (entry_count > 0),
  root          bytea not null constraint seal_root check (length(root) = 32),
  previous_hash bytea not null constraint seal_previous_hash check (length(previous_hash) = 32),
  hash          bytea not null constraint seal_hash check (length(hash) = 32),
  sealed_at     timestamptz not null
);
create trigger seal_append_only before update or delete or truncate on audit.seal
  for each statement execute function audit.refuse_change();
