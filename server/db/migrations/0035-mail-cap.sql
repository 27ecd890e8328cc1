-- What a mail is to the cap of its address (docs/notifications.md, "How many a day"); null: it is always sent.
alter table notify.mail
  add column kind text constraint mail_kind check (kind in ('code', 'reset', 'signup', 'news')),
  -- The UTC day for which it was counted.
  add column counted_on date,
  drop constraint mail_state,
  add constraint mail_state check (state in ('waiting', 'sent', 'logged', 'failed', 'capped'));
create index mail_counted on notify.mail (lower(to_address), kind, counted_on) where counted_on is not null;
create index mail_capped on notify.mail (id) where state = 'capped';
