-- Which admins the legal contact knows: in live mode money is paid out once two of them, with passkeys, are confirmed
-- (docs/operators-guide.md, "Before going live").
create table identity.legal_confirmation (
  operator_id  bigint primary key constraint legal_confirmation_operator references identity.operator,
  -- Of the emailed link; null once it was used.
  token_hash   bytea constraint legal_confirmation_token unique
               constraint legal_confirmation_token_hash check (length(token_hash) = 32),
  sent_to      text not null,
  sent_at      timestamptz not null,
  expires_at   timestamptz not null,
  confirmed_at timestamptz,
  constraint legal_confirmation_link check ((token_hash is null) = (confirmed_at is not null))
);
