-- Sign-ins whose token a browser took from an address (docs/product.md, section 8): whoever sent the address may own the account,
-- so that until this browser has said whose it is, nothing of a person's goes into it.
create table identity.adopted_sign_in (
  id              bigint generated always as identity constraint adopted_sign_in_pk primary key,
  auth_session_id bigint not null
                  constraint adopted_sign_in_session references identity.auth_session (id) on delete cascade,
  -- Of what only this browser was told: who else has the token cannot confirm for it.
  secret_hash     bytea not null constraint adopted_sign_in_secret unique check (length(secret_hash) = 32),
  adopted_at      timestamptz not null,
  confirmed_at    timestamptz constraint adopted_sign_in_confirmed_after check (confirmed_at >= adopted_at)
);
create index adopted_sign_in_of_session on identity.adopted_sign_in (auth_session_id, confirmed_at);

-- How often an operator opened accounts today.
create index opening_of_operator on identity.opening (operator_id, opened_at);
