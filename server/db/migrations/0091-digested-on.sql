-- The session whose digest has what the exchange filled of the batch. Times could not say so: what was filled between two
-- sessions was in no digest.
alter table trading.batch add column digested_on date;
update trading.batch b set digested_on = s.day from trading.session s
where b.state in ('filled', 'booked') and b.kind <> 'house' and b.filled_at >= s.opened_at and b.filled_at <= s.settled_at;
alter table trading.batch
  add constraint batch_digested check (digested_on is null or (state in ('filled', 'booked') and kind <> 'house'));
create index batch_undigested on trading.batch (id) where digested_on is null and state in ('filled', 'booked') and kind <> 'house';
create index batch_digested_on on trading.batch (digested_on) where digested_on is not null;
