-- When whoever holds the account now accepted the invitation to it; null of accounts made without one, or before. An
-- account that was disabled or reset comes back under its old id: what was approved before does not count any more.
alter table identity.operator add column accepted_at timestamptz;

-- So its holder may approve what was approved under it before.
alter table funds.withdrawal_approval
  drop constraint withdrawal_approval_pkey,
  add constraint withdrawal_approval_pkey primary key (withdrawal_id, operator_id, approved_at);
