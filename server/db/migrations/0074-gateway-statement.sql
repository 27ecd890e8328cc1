-- What payment gateways list as moved, compared with what we booked (docs/funds.md, "Gateway statement").

create table funds.gateway_statement (
  gateway      text constraint gateway_statement_pk primary key,
  -- An operator wants one now: done once one was read after this instant.
  asked_at     timestamptz,
  fault        text,
  fault_at     timestamptz,
  covered_from timestamptz,
  covered_to   timestamptz,
  constraint gateway_statement_fault check ((fault is null) = (fault_at is null)),
  constraint gateway_statement_period check (covered_to > covered_from and (covered_from is null) = (covered_to is null))
);

create table funds.gateway_entry (
  gateway     text not null,
  kind        text not null constraint gateway_entry_kind check (kind in ('payment', 'payout', 'network_fee', 'other')),
  -- The gateway's name of it.
  entry_id    text not null,
  -- What it belongs to: `payment/` and the invoice, `payout/` and the payout, `transaction/` and the wallet's transaction.
  about       text not null,
  at          timestamptz not null,
  asset       text not null,
  -- Signed: what the gateway holds for us grew by.
  units       numeric not null,
  imported_at timestamptz not null,
  constraint gateway_entry_pk primary key (gateway, kind, entry_id)
);
create index gateway_entry_about on funds.gateway_entry (gateway, about);

-- Where both sides are not the same, until they are or an operator explains it.
create table funds.gateway_finding (
  id           bigint generated always as identity constraint gateway_finding_pk primary key,
  gateway      text not null,
  about        text not null,
  -- unmatched: nothing of ours is it. missing: the gateway does not list it. differs: other amounts.
  kind         text not null constraint gateway_finding_kind check (kind in ('unmatched', 'missing', 'differs')),
  at           timestamptz not null,
  asset        text not null,
  listed       numeric,
  booked       numeric,
  -- Ours: DP-7M2QX4, WD-7M2QX4.
  reference    text,
  found_at     timestamptz not null,
  state        text not null constraint gateway_finding_state check (state in ('open', 'matched', 'explained')),
  closed_at    timestamptz,
  explanation  text,
  explained_by bigint,
  constraint gateway_finding_once unique (gateway, about),
  constraint gateway_finding_closed check ((closed_at is null) = (state = 'open')),
  constraint gateway_finding_explained check (num_nonnulls(explanation, explained_by) = case when state = 'explained' then 2 else 0 end)
);
create index gateway_finding_of_state on funds.gateway_finding (state, id);
