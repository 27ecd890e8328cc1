create schema identity;

create table identity.member (
  id                bigint generated always as identity primary key,
  -- The Registered Id, and what others sign up under.
  referral_code     text not null constraint member_referral_code unique
                    constraint member_referral_code_form check (referral_code ~ '^[A-Z0-9]{3,20}$'),
  sponsor_id        bigint constraint member_sponsor references identity.member,
  name              text not null,
  email             text,
  mobile_number     text,
  password_hash     text,
  terms_accepted_at timestamptz,
  frozen_at         timestamptz,
  is_company        boolean not null default false,
  created_at        timestamptz not null,
  -- The company is the root of the team: no sponsor, nobody who could sign in as it.
  constraint member_sponsor_unless_company check (is_company = (sponsor_id is null)),
  constraint member_sign_in_unless_company check (is_company = (password_hash is null)),
  constraint member_reachable_unless_company check (is_company or (email is not null and mobile_number is not null))
);
create unique index member_one_company on identity.member (is_company) where is_company;
create index member_sponsor_id on identity.member (sponsor_id);
create index member_email on identity.member (lower(email));
create index member_frozen on identity.member (id) where frozen_at is not null;

-- Accounts of the people who run the product; without wallets, sponsor or team.
create table identity.operator (
  id            bigint generated always as identity primary key,
  email         text not null,
  name          text not null,
  role          text not null constraint operator_role check (role in ('support', 'finance', 'admin')),
  password_hash text not null,
  created_at    timestamptz not null
);
create unique index operator_email on identity.operator (lower(email));

-- A sign-in. The token itself is never stored: whoever reads this table cannot act for anybody.
create table identity.auth_session (
  token_hash   bytea primary key constraint auth_session_token_hash check (length(token_hash) = 32),
  id           bigint generated always as identity constraint auth_session_id unique,
  member_id    bigint constraint auth_session_member references identity.member,
  operator_id  bigint constraint auth_session_operator references identity.operator,
  device       text not null,
  address      text not null,
  -- Seconds without use after which it ends; null: it ends at expires_at whatever happens.
  idle_seconds int,
  created_at   timestamptz not null,
  last_used_at timestamptz not null,
  expires_at   timestamptz not null,
  constraint auth_session_of_one check (num_nonnulls(member_id, operator_id) = 1)
);
create index auth_session_member_id on identity.auth_session (member_id);
create index auth_session_expires_at on identity.auth_session (expires_at);

-- Devices a member signed in from before, so that a new one can be told to them.
create table identity.known_device (
  member_id     bigint not null constraint known_device_member references identity.member,
  device        text not null,
  first_seen_at timestamptz not null,
  primary key (member_id, device)
);

-- Keys the server makes for itself at first use.
create table identity.server_key (
  name       text primary key,
  value      bytea not null,
  created_at timestamptz not null
);

-- One-time passwords: one live code per account and purpose; a new one replaces the old.
create table identity.otp (
  id         bigint generated always as identity primary key,
  member_id  bigint not null constraint otp_member references identity.member,
  purpose    text not null,
  code_hash  bytea not null,
  tries      int not null default 0 constraint otp_tries check (tries between 0 and 5),
  resend_at  timestamptz not null,
  expires_at timestamptz not null,
  constraint otp_one_per_purpose unique (member_id, purpose)
);
create index otp_expires_at on identity.otp (expires_at);

-- What was typed into the form of forgotten passwords, known or not. A job looks the account up afterwards, so that
-- the reply cannot tell, not even by its timing. The text is gone once the job has read it.
create table identity.reset_request (
  login_hash   bytea primary key,
  login_id     text,
  address      text not null,
  requested_at timestamptz not null,
  resend_at    timestamptz not null,
  expires_at   timestamptz not null
);
create index reset_request_waiting on identity.reset_request (requested_at) where login_id is not null;
create index reset_request_expires_at on identity.reset_request (expires_at);

create table identity.reset_token (
  token_hash bytea primary key,
  member_id  bigint not null constraint reset_token_member references identity.member,
  expires_at timestamptz not null
);
create index reset_token_member_id on identity.reset_token (member_id);
create index reset_token_expires_at on identity.reset_token (expires_at);

-- Tries against one secret in a window of time; counted before the secret is looked at.
create table identity.attempt (
  key_hash   bytea primary key,
  count      int not null,
  expires_at timestamptz not null
);
create index attempt_expires_at on identity.attempt (expires_at);
