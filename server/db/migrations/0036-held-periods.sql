-- A week or month is computed at its end, with its lines, and paid from those lines: at once, or when no alarm stands any more.
alter table income.period_run drop constraint period_run_state, drop constraint period_run_paid;
-- A run that is half paid goes on computing the blocks it has not come to.
update income.period_run set state = 'computing' where state = 'paying';
alter table income.period_run
  alter state set default 'computing',
  add constraint period_run_state check (state in ('computing', 'paying', 'checking', 'done')),
  -- What its lines come to, once they are all there.
  add constraint period_run_paid check ((state = 'computing') = (paid is null) and paid <= pool),
  -- Market time at which its transfers are made; null before the first.
  add column paid_at timestamptz;
update income.period_run set paid_at = ran_at;

-- Whether the block's transfers are made. Until now they were made with its lines.
alter table income.period_block add column is_paid boolean not null default true;
alter table income.period_block alter is_paid set default false;

-- Whether the books held when the run ended; where they did not, an alarm says so and the run goes on.
alter table income.bonus_run add column books_hold boolean not null default true;
