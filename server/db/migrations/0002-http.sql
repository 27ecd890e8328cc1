create schema http;

-- First replies of calls that move money, by the caller's key (api.md, Idempotency). Kept 7 days.
create table http.idempotency (
  caller_id  bigint not null,
  call       text not null,
  key        text not null,
  body_hash  text not null,
  reply      jsonb not null,
  created_at timestamptz not null default now(),
  primary key (caller_id, call, key)
);
create index idempotency_created_at on http.idempotency using brin (created_at);
