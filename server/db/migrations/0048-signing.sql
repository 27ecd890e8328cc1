-- Seals are signed with a key that lies outside the database, and the ends of their chains are published each hour
-- (docs/ledger.md, "Signatures").
create schema signing;

-- Public parts of the keys, in the order in which they were announced. What they say is believed from the key file, and
-- from here only by who has none.
create table signing.key (
  no                 bigint primary key constraint key_no_positive check (no > 0),
  fingerprint        text not null constraint key_fingerprint check (fingerprint = encode(sha256(public_key), 'hex')),
  public_key         bytea not null constraint key_once unique constraint key_public_key check (length(public_key) = 32),
  announced_at       timestamptz(3) not null,
  -- The last seals that are not signed with it.
  ledger_after       bigint not null,
  audit_after        bigint not null,
  liabilities_after  bigint not null,
  signature          bytea not null constraint key_signature check (length(signature) = 64),
  -- By the key before; null for the first, and where that one was lost.
  previous_signature bytea constraint key_previous_signature check (length(previous_signature) = 64)
);

-- Of every seal since the first key.
create table signing.signature (
  chain     text not null constraint signature_chain check (chain in ('ledger', 'audit', 'liabilities')),
  no        bigint not null,
  key_no    bigint not null constraint signature_key references signing.key,
  signature bytea not null constraint signature_length check (length(signature) = 64),
  constraint signature_pk primary key (chain, no)
);

create function signing.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'signatures are append-only' using errcode = 'TWK01';
end $$;
create trigger append_only before update or delete or truncate on signing.key
  for each statement execute function signing.refuse_change();
create trigger append_only before update or delete or truncate on signing.signature
  for each statement execute function signing.refuse_change();

-- What was published, word for word; one an hour.
create table solvency.published_heads (
  hour         timestamptz(3) primary key,
  published_at timestamptz(3) not null,
  document     text not null
);
create trigger append_only before update or delete or truncate on solvency.published_heads
  for each statement execute function solvency.refuse_change();

-- What is sent to ANCHOR_URL. `waiting` until its receiver said that it has it.
create table solvency.anchor_delivery (
  hour         timestamptz(3) primary key constraint anchor_delivery_of references solvency.published_heads,
  state        text not null default 'waiting' constraint anchor_delivery_state check (state in ('waiting', 'sent')),
  tries        int not null default 0,
  leased_until timestamptz,
  last_fault   text
);
create index anchor_delivery_waiting on solvency.anchor_delivery (hour) where state = 'waiting';

-- Proofs of liabilities that admins asked for in a process without the key: the worker takes them.
create table solvency.snapshot_request (
  operator_id bigint primary key,
  address     text not null,
  asked_at    timestamptz not null
);
