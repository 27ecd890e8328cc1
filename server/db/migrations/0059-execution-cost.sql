-- What a session's execution cost comes before every share of its fees (docs/product.md, section 2, "Money flows").
insert into ledger.flow (from_class, to_class, reason, event)
select f.no, t.no, flow.reason::ledger.reason, flow.event
from (values
  ('trade_fees', 'venue_result', 'execution_cost', 'bonus run: what the session''s execution cost, before every share'),
  ('performance_fees', 'venue_result', 'execution_cost', 'bonus run: what of the session''s execution cost trade fees did not cover')
) as flow(from_name, to_name, reason, event)
join ledger.account_class f on f.name = flow.from_name
join ledger.account_class t on t.name = flow.to_name;
call ledger.compile_flow();

-- The session whose bonus run took what the batch cost or gained: its own, or the next when it was booked too late for that.
alter table trading.batch
  add column charged_on date,
  add constraint batch_charged check (charged_on is null or (state = 'booked' and charged_on >= session_day));
create index batch_uncharged on trading.batch (session_day) where charged_on is null and state = 'booked';
create index batch_charged_on on trading.batch (charged_on) where charged_on is not null;

-- What execution cost, and what of it the fees bore; all 0 until they are collected, and with the paper venue.
alter table income.bonus_run
  add column execution_cost bigint not null default 0 constraint bonus_run_execution_cost check (execution_cost >= 0),
  add column trade_cost bigint not null default 0 constraint bonus_run_trade_cost check (trade_cost between 0 and trade_fees),
  add column performance_cost bigint not null default 0
    constraint bonus_run_performance_cost check (performance_cost between 0 and performance_fees),
  drop constraint bonus_run_trade_fees,
  drop constraint bonus_run_performance_fees,
  add constraint bonus_run_trade_fees check (
    trade_fees = trade_cost + referral_bonus + level_bonus + pool_weekly + pool_monthly + pool_rewards + trade_revenue),
  add constraint bonus_run_performance_fees check (performance_fees = performance_cost + team_profit + performance_revenue),
  -- Trade fees first, then performance fees, as far as they reach.
  add constraint bonus_run_cost_taken check (
    trade_cost = least(execution_cost, trade_fees)
    and performance_cost = least(execution_cost - trade_cost, performance_fees));
