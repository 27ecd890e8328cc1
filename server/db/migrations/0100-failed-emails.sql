-- A failed email can be retried for three days after it failed, which may be days after it was written: it is deferred
-- for three days before. Null of those that failed before this column: they count from when they were written.
alter table notify.mail add column failed_at timestamptz
  constraint mail_failed_at check (failed_at is null or state = 'failed');
