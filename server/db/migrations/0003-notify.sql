create schema audit;

-- Who did what, written in the transaction that did it: either both are there or neither.
create table audit.entry (
  id         bigint generated always as identity primary key,
  actor_kind text not null constraint entry_actor_kind check (actor_kind in ('member', 'operator', 'system')),
  actor_id   bigint,
  action     text not null,
  subject    text not null,
  before     jsonb,
  after      jsonb,
  address    text,
  created_at timestamptz not null default now(),
  constraint entry_actor check ((actor_kind = 'system') = (actor_id is null))
);
create index entry_subject on audit.entry (subject, id);
create index entry_actor on audit.entry (actor_kind, actor_id, id);

create function audit.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'audit entries are append-only' using errcode = 'TWA01';
end $$;
create trigger entry_append_only before update or delete or truncate on audit.entry
  for each statement execute function audit.refuse_change();

create schema notify;

-- Where a member is reached. The accounts' own domain keeps it current, so that whatever happens in any other domain
-- can be told to a member without looking up names and addresses first.
create table notify.recipient (
  member_id bigint primary key,
  name      text not null constraint recipient_name_is_one_line check (name !~ '[[:cntrl:]]'),
  address   text not null constraint recipient_address_is_one_line check (address !~ '[[:cntrl:]]')
);

create table notify.notification (
  member_id  bigint not null,
  id         bigint generated always as identity,
  kind       text not null,
  message    text not null constraint notification_has_text check (message <> ''),
  read_at    timestamptz,
  created_at timestamptz not null default now(),
  primary key (member_id, id)
);
create index notification_unread on notify.notification (member_id, id) where read_at is null;

-- Mails wait here until they are sent, after the commit of what they tell. A line break in a header field would let
-- its author write further headers, so the database refuses one whoever asks.
create table notify.mail (
  id           bigint generated always as identity primary key,
  to_name      text not null constraint mail_name_is_one_line check (to_name !~ '[[:cntrl:]]'),
  to_address   text not null constraint mail_address_is_one_line check (to_address !~ '[[:cntrl:]]'),
  subject      text not null constraint mail_subject_is_one_line check (subject !~ '[[:cntrl:]]'),
  text         text not null,
  state        text not null default 'waiting'
               constraint mail_state check (state in ('waiting', 'sent', 'logged', 'failed')),
  -- Counts the claims. A sender whose lease ran out no longer holds the current number and changes nothing.
  tries        int not null default 0,
  -- How often the mail server asked to come again with this mail; being away does not count.
  deferrals    int not null default 0,
  -- Null: at once.
  next_try_at  timestamptz,
  leased_until timestamptz,
  last_fault   text,
  created_at   timestamptz not null default now()
);
create index mail_waiting on notify.mail (id) where state = 'waiting';
