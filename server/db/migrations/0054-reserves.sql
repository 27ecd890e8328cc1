-- Signed statements of reserves (docs/solvency.md, "Statements of reserves"): published with two people, never changed.
create or replace function solvency.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'what is published is append-only' using errcode = 'TWS01';
end $$;

create table solvency.reserve_statement (
  id           bigint generated always as identity primary key,
  network      text not null constraint reserve_network check (network in ('bitcoin', 'bitcoin_testnet', 'ethereum')),
  address      text not null,
  asset        text not null,
  -- Decimal text in units of the asset, as it was claimed.
  amount       text not null constraint reserve_amount check (amount ~ '^(0|[1-9][0-9]{0,14})(\.[0-9]{1,18})?$'),
  message      text not null,
  signature    text not null,
  -- The day that the message says.
  signed_on    date not null,
  published_at timestamptz not null,
  -- Paper mode: the key is a test's.
  simulated    boolean not null
);
create index reserve_latest on solvency.reserve_statement (network, address, asset, id desc);
create trigger append_only before update or delete or truncate on solvency.reserve_statement
  for each statement execute function solvency.refuse_change();

alter table approvals.proposal drop constraint proposal_kind;
alter table approvals.proposal
  add constraint proposal_kind check (
    kind in ('adjustment', 'treasury', 'fee_plan', 'operator', 'email_change', 'loosening', 'announcement', 'reserve')),
  add constraint proposal_reserve check (kind <> 'reserve' or coalesce(
    payload->>'network' <> '' and payload->>'address' <> '' and payload->>'asset' <> '' and payload->>'amount' <> ''
    and payload->>'message' <> '' and payload->>'signature' <> '' and payload->>'signedOn' <> '', false));
