-- What happened to members, for the sockets that tell them at once (docs/live.md). One row a statement, however many
-- members it concerned, written in its transaction: either both are there or neither. Movements of money are not in here:
-- the ledger's own rows say which transaction wrote them.
create schema live;

-- Unlogged: it is kept for minutes, and after a crash of the server every socket is told to ask for everything anyway.
create unlogged table live.event (
  -- Who has seen the rows of this transaction is told apart by it: ids alone become visible out of their order.
  tx         bigint not null default pg_current_xact_id()::text::bigint,
  id         bigint generated always as identity,
  kind       text not null constraint event_kind check (kind in ('notification', 'read', 'trade', 'ticket', 'sign_out')),
  -- The n-th subject is the n-th member's: the id of a notification, a trade, a ticket or a sign-in.
  members    bigint[] not null,
  subjects   bigint[] not null,
  created_at timestamptz not null default now(),
  constraint event_pk primary key (tx, id),
  constraint event_pairs check (cardinality(members) = cardinality(subjects) and cardinality(members) > 0)
);
-- A settled block of members is some thousand of them: compressing that costs more time than it spares space for ten minutes.
alter table live.event alter column members set storage external, alter column subjects set storage external;

-- Rows of any table with `id` and `member_id`. Once a statement and not once a row: a session settles a million trades.
create function live.tell() returns trigger language plpgsql as $$
begin
  insert into live.event (kind, members, subjects)
  select tg_argv[0], array_agg(member_id), array_agg(id) from changed where member_id is not null having count(*) > 0;
  return null;
end $$;

create trigger tell_live after insert on notify.notification
  referencing new table as changed for each statement execute function live.tell('notification');
create trigger tell_live_read after update on notify.notification
  referencing new table as changed for each statement execute function live.tell('read');

create trigger tell_live_placed after insert on trading.trade
  referencing new table as changed for each statement execute function live.tell('trade');
create trigger tell_live_changed after update on trading.trade
  referencing new table as changed for each statement execute function live.tell('trade');

create trigger tell_live after delete on identity.auth_session
  referencing old table as changed for each statement execute function live.tell('sign_out');

-- Of tickets only what their member sees: not who of support has it, and not the notes that operators write each other.
create function live.tell_ticket() returns trigger language plpgsql as $$
begin
  insert into live.event (kind, members, subjects) values ('ticket', array[new.member_id], array[new.id]);
  return null;
end $$;
create trigger tell_live after update on support.ticket for each row
  when ((old.state, old.member_read_id, old.support_read_id) is distinct from (new.state, new.member_read_id, new.support_read_id))
  execute function live.tell_ticket();

create function live.tell_message() returns trigger language plpgsql as $$
begin
  insert into live.event (kind, members, subjects)
  select 'ticket', array[member_id], array[id] from support.ticket where id = new.ticket_id;
  return null;
end $$;
create trigger tell_live after insert on support.message for each row
  when (not new.is_private) execute function live.tell_message();
