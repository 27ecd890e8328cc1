-- Base backups that were finished, as deploy/backup writes them. The worker never sees the files: it may be on another
-- machine, and must not be able to delete them.
create table public.backup (
  name        text primary key,
  bytes       bigint not null constraint backup_bytes_positive check (bytes > 0),
  finished_at timestamptz not null default now()
);
create index backup_newest on public.backup (finished_at desc);
