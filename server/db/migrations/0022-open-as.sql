-- ---- operators who open a member's account (product.md sections 8 and 10) ----

-- One row each time: who, whom, when and why, for the member to read. It outlives the sign-in it was made for.
create table identity.opening (
  id          bigint generated always as identity constraint opening_pk primary key,
  member_id   bigint not null constraint opening_member references identity.member,
  operator_id bigint not null constraint opening_operator references identity.operator,
  reason      text not null constraint opening_has_reason check (reason <> ''),
  opened_at   timestamptz not null,
  expires_at  timestamptz not null,
  -- Null while it is open; once `expires_at` has passed it is over in any case.
  ended_at    timestamptz,
  constraint opening_lasts check (expires_at > opened_at),
  constraint opening_ended_after check (ended_at between opened_at and expires_at)
);
create index opening_of_member on identity.opening (member_id, id desc);

-- The member's sign-in that an operator reads by: it never lives longer than the operator's own, whatever ends that.
alter table identity.auth_session
  add column opening_id  bigint constraint auth_session_opening references identity.opening,
  add column opened_from bigint constraint auth_session_opened_from references identity.auth_session (id) on delete cascade,
  add constraint auth_session_opened_whole check ((opening_id is null) = (opened_from is null)),
  add constraint auth_session_opened_is_short check (opening_id is null or (member_id is not null and idle_seconds is null));
create index auth_session_opened_from on identity.auth_session (opened_from) where opened_from is not null;

-- Whatever ends the sign-in says in its row when that was. The database's clock, because the operator's own end takes it
-- along without a word of the program.
create function identity.end_opening() returns trigger language plpgsql as $$
begin
  update identity.opening set ended_at = greatest(opened_at, least(expires_at, now()))
  where id = old.opening_id and ended_at is null;
  return null;
end $$;
create trigger auth_session_ends_opening after delete on identity.auth_session
  for each row when (old.opening_id is not null) execute function identity.end_opening();

-- ---- accounts that their members closed (product.md section 8) ----

-- What identifies a person is gone from the row; the row stays, because the ledger and the members below hang on it.
alter table identity.member add column closed_at timestamptz;
alter table identity.member
  drop constraint member_sign_in_unless_company,
  drop constraint member_reachable_unless_company,
  add constraint member_company_stays check (not is_company or closed_at is null),
  add constraint member_signs_in_unless_gone check ((is_company or closed_at is not null) = (password_hash is null)),
  add constraint member_reachable_unless_gone check (
    is_company or (closed_at is null and email is not null and mobile_number is not null)
    or (closed_at is not null and email is null and mobile_number is null and email_verified_at is null));

-- Whose account a mail is about: an address may be that of several, and goes with the account.
alter table notify.mail
  add column member_id bigint,
  -- The last word to an account that is closed: who it went to is forgotten once it has gone.
  add column is_last boolean not null default false;
create index mail_of_member on notify.mail (member_id, id) where member_id is not null;

-- From when on a closed account earns nothing; what was shared before stays as it was. Never written while a run is under
-- way, so that a run sees one answer from its first member to its last, and a replay sees the same.
create table income.closed_member (
  member_id   bigint not null constraint closed_member_pk primary key,
  -- The last session that was shared before, and the first week and month that were not paid; -infinity before the first.
  closed_on   date not null,
  weeks_from  date not null,
  months_from date not null
);
alter table income.bonus_line drop constraint bonus_line_reason,
  add constraint bonus_line_reason check (reason in ('company', 'closed', 'inactive', 'directs'));
alter table income.weekly_line drop constraint weekly_line_reason,
  add constraint weekly_line_reason check (reason in ('company', 'closed', 'inactive', 'directs'));
alter table income.monthly_line drop constraint monthly_line_reason,
  add constraint monthly_line_reason check (reason in ('company', 'closed', 'inactive', 'rank'));
-- A reward that was not paid when its member closed the account is given up: nobody in line waits behind it.
alter table income.reward drop constraint reward_state, drop constraint reward_claimed,
  add constraint reward_state check (state in ('claimable', 'waiting', 'paid', 'given_up')),
  add constraint reward_claimed check ((claim_no is null) = (claimed_at is null)
    and (state <> 'claimable' or claim_no is null) and (state not in ('waiting', 'paid') or claim_no is not null));
