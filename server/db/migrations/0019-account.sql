-- When a code that was mailed to the address came back; null: nobody has shown yet that it is theirs.
alter table identity.member add column email_verified_at timestamptz;
-- Null: still the one of the registration.
alter table identity.member add column password_changed_at timestamptz;

-- What opens an account whose authenticator app is lost. Each is worth one sign-in: used, its row is gone.
create table identity.recovery_code (
  member_id bigint not null constraint recovery_code_member references identity.member,
  code_hash bytea not null constraint recovery_code_hash check (length(code_hash) = 32),
  primary key (member_id, code_hash)
);

-- Sign-ins that wait for a code end with a change of password or second factor.
create index sign_in_challenge_member_id on identity.sign_in_challenge (member_id) where member_id is not null;
