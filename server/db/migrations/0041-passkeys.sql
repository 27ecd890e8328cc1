-- Passkeys of members and operators: a public key each. The private one never leaves the device it was made on, or the
-- account that device is synced with.
create table identity.passkey (
  id            bigint generated always as identity primary key,
  member_id     bigint constraint passkey_member references identity.member,
  operator_id   bigint constraint passkey_operator references identity.operator,
  -- As browsers write it, in base64url; made by the device.
  credential_id text not null constraint passkey_credential unique
                constraint passkey_credential_length check (length(credential_id) between 1 and 1400),
  public_key    bytea not null,
  -- Moves on with each use on devices that count, and stays 0 on all others.
  counter       bigint not null constraint passkey_counter check (counter >= 0),
  -- How a browser reaches the device: internal, hybrid, usb, …
  transports    text[] not null,
  -- Kept by an account with a copy of it, so that it outlives the device.
  is_synced     boolean not null,
  name          text not null constraint passkey_has_name check (name <> ''),
  created_at    timestamptz not null,
  last_used_at  timestamptz,
  constraint passkey_of_one check (num_nonnulls(member_id, operator_id) = 1)
);
create index passkey_member_id on identity.passkey (member_id) where member_id is not null;
create index passkey_operator_id on identity.passkey (operator_id) where operator_id is not null;

-- What a device is asked to sign, once. Only its hash is stored; the answer carries the challenge itself.
create table identity.passkey_challenge (
  challenge_hash bytea primary key constraint passkey_challenge_hash check (length(challenge_hash) = 32),
  -- Both null at a sign-in, where the answer says whose it is.
  member_id      bigint constraint passkey_challenge_member references identity.member,
  operator_id    bigint constraint passkey_challenge_operator references identity.operator,
  purpose        text not null constraint passkey_challenge_purpose
                 check (purpose in ('register', 'sign_in', 'second_factor', 'confirm')),
  -- The domain that the passkey is for, and the pages that may have asked.
  rp_id          text not null,
  origins        text[] not null,
  expires_at     timestamptz not null,
  constraint passkey_challenge_of_one check (num_nonnulls(member_id, operator_id) = (purpose <> 'sign_in')::int)
);
create index passkey_challenge_expires_at on identity.passkey_challenge (expires_at);
create index passkey_challenge_member_id on identity.passkey_challenge (member_id) where member_id is not null;
create index passkey_challenge_operator_id on identity.passkey_challenge (operator_id) where operator_id is not null;
