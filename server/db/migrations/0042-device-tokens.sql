-- Browsers from which somebody signed in whole: the token itself is in the browser alone. It opens nothing. Wrong passwords and
-- codes that come with it count against it, so that nobody else's keep its owner out.
create table identity.device_token (
  id           bigint generated always as identity primary key,
  token_hash   bytea not null constraint device_token_hash unique
               constraint device_token_hash_length check (length(token_hash) = 32),
  member_id    bigint constraint device_token_member references identity.member,
  operator_id  bigint constraint device_token_operator references identity.operator,
  -- False after a password reset: the mailbox was shown, a second factor was not.
  is_full      boolean not null,
  created_at   timestamptz not null,
  last_used_at timestamptz not null,
  expires_at   timestamptz not null,
  constraint device_token_of_one check (num_nonnulls(member_id, operator_id) = 1)
);
create index device_token_member_id on identity.device_token (member_id) where member_id is not null;
create index device_token_operator_id on identity.device_token (operator_id) where operator_id is not null;
create index device_token_expires_at on identity.device_token (expires_at);

-- The browser of a sign-in; null for those from before, and after its token was revoked.
alter table identity.auth_session
  add column device_id bigint constraint auth_session_device references identity.device_token on delete set null;
create index auth_session_device_id on identity.auth_session (device_id) where device_id is not null;

-- Wrong passwords and codes of unknown browsers over all accounts, by minute. In parts, so that tries at the same moment do not
-- wait for one row.
create table identity.stranger_failure (
  minute timestamptz not null,
  part   smallint not null,
  count  int not null constraint stranger_failure_count check (count >= 0),
  primary key (minute, part)
);

-- A reset belongs to who asked for it: the hash of the login, and of the token that the asking page made, if it made one.
alter table identity.reset_request rename column login_hash to request_hash;
alter table identity.reset_request
  -- Of that token; empty without one.
  add column token_hash bytea not null default '',
  -- Hashes, in hex, of the device tokens that came with the request.
  add column devices text[] not null default '{}';
alter table identity.otp
  -- Of the reset that the code is for; empty where the account and the purpose say it.
  add column request_hash bytea not null default '',
  drop constraint otp_one_per_purpose,
  add constraint otp_one_per_purpose unique (member_id, purpose, request_hash);
