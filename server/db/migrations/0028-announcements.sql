-- What operators tell all members (product.md section 10). One row each, however many members there are.
create table notify.announcement (
  id         bigint not null generated always as identity constraint announcement_pk primary key,
  title      text not null constraint announcement_title check (title <> '' and length(title) <= 80 and title !~ '[[:cntrl:]]'),
  -- Plain text, with line breaks.
  text       text not null constraint announcement_text check (text <> '' and length(text) <= 1000),
  -- Real time.
  begins_at  timestamptz not null,
  ends_at    timestamptz not null,
  written_by bigint not null,
  written_at timestamptz not null,
  -- Who ended it before its time.
  ended_by   bigint,
  ended_at   timestamptz,
  constraint announcement_period check (begins_at < ends_at),
  constraint announcement_ended check ((ended_by is null) = (ended_at is null))
);
create index announcement_not_over on notify.announcement (ends_at) where ended_at is null;

create function notify.refuse_announcement_change() returns trigger language plpgsql as $$
begin
  raise exception 'what was announced is not changed, only ended: % refused', lower(tg_op)
    using errcode = 'TWN01', constraint = 'announcement_append_only', schema = tg_table_schema, table = tg_table_name;
end $$;
create trigger announcement_ended_once before update on notify.announcement for each row
  when (old.ended_at is not null
    or (old.id, old.title, old.text, old.begins_at, old.ends_at, old.written_by, old.written_at)
      is distinct from (new.id, new.title, new.text, new.begins_at, new.ends_at, new.written_by, new.written_at))
  execute function notify.refuse_announcement_change();
create trigger announcement_stays before delete or truncate on notify.announcement
  for each statement execute function notify.refuse_announcement_change();

-- Who has put one away, so that it stays away on every device. A row only for members who did.
create table notify.announcement_dismissal (
  member_id       bigint not null,
  announcement_id bigint not null constraint announcement_dismissal_of references notify.announcement,
  dismissed_at    timestamptz not null,
  constraint announcement_dismissal_pk primary key (member_id, announcement_id)
);
