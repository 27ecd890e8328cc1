-- A dollar counts once (docs/product.md, section 6): what a trader's fees put into a pool is split between those above who qualify, and
-- what is left of a week's or month's fill is revenue.
insert into ledger.flow (from_class, to_class, reason, event)
select f.no, t.no, 'pool_release', flow.event
from (values
  ('pool_weekly', 'fee_revenue', 'the weekly run: what nobody gets of the week''s fill'),
  ('pool_monthly', 'fee_revenue', 'the monthly run: what nobody gets of the month''s fill')
) as flow(from_name, to_name, event)
join ledger.account_class f on f.name = flow.from_name
join ledger.account_class t on t.name = flow.to_name;
call ledger.compile_flow();

-- The rule of periods that begin on this day or later, until the day of the next row. 1: the whole pool, in proportion (weeks) or scaled
-- (months). 2: one's contributed part.
create table income.period_rule (
  begins_on date not null constraint period_rule_pk primary key,
  rule      smallint not null constraint period_rule_known check (rule in (1, 2))
);
-- A week or month that is under way on the market's clock keeps its rule, and with it all that it was paid by.
insert into income.period_rule (begins_on, rule) values
  ('-infinity', 1), (coalesce((select (at at time zone 'UTC')::date + 1 from market.clock), '1970-01-01'), 2);

alter table income.period_run
  add column rule smallint not null default 1 constraint period_run_rule check (rule in (1, 2)),
  -- What of the pool nobody gets: revenue once all is paid. By the first rule it stays for the next period.
  add column released bigint not null default 0,
  add constraint period_run_released check (
    case when rule = 2 and paid is not null then paid + released = pool and released >= 0 else released = 0 end);

-- What a member who qualified contributed to the fill of a period, by the second rule: written with the period's row. Rewards are of a month.
create table income.contribution (
  kind        text not null constraint contribution_kind check (kind in ('weekly', 'monthly', 'rewards')),
  starts_on   date not null,
  member_id   bigint not null,
  contributed bigint not null constraint contribution_contributed check (contributed >= 0),
  constraint contribution_pk primary key (kind, starts_on, member_id)
);

-- What the member's own fees put into each pool in the week and month that the row is of.
alter table income.standing
  add column own_week_put bigint not null default 0,
  add column own_month_put bigint not null default 0,
  add column own_reward_put bigint not null default 0;
