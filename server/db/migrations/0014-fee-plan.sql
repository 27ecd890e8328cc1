-- The fee plan (product.md section 6): versioned data. A session takes the newest one when it opens and keeps it to the end.
create function trading.sum_bps(shares int[]) returns bigint language sql immutable strict
return (select coalesce(sum(share), 0) from unnest(shares) as share);

create table trading.fee_plan (
  id                  int not null generated always as identity constraint fee_plan_pk primary key,
  -- All rates and shares in basis points, all amounts in micros.
  trade_fee_bps       int not null,
  performance_fee_bps int not null,
  withdrawal_fee_bps  int not null,
  withdrawal_fee_min  bigint not null,
  -- Shares of the trade fee: to levels 1 to 10, and to the pools. What is left is the house's.
  level_bps           int[] not null,
  weekly_bps          int not null,
  monthly_bps         int not null,
  rewards_bps         int not null,
  -- Shares of the performance fee: to levels 1 to 3.
  team_profit_bps     int[] not null,
  weekly_min_directs  int not null,
  -- The most one member gets of the weekly pool, and the most one leg counts for a rank.
  weekly_cap_bps      int not null,
  leg_cap_bps         int not null,
  -- Bronze to Diamond: the volume a month that it takes, the income a month, the reward once.
  rank_volume         bigint[] not null,
  rank_monthly        bigint[] not null,
  rank_reward         bigint[] not null,
  note                text not null,
  -- The operator who wrote it; null for the first one.
  operator_id         bigint,
  created_at          timestamptz not null,
  constraint fee_plan_rates check (trade_fee_bps between 0 and 1000 and performance_fee_bps between 0 and 5000
    and withdrawal_fee_bps between 0 and 1000 and withdrawal_fee_min >= 0),
  constraint fee_plan_shares check (0 <= all (level_bps) and 0 <= all (team_profit_bps)
    and weekly_bps >= 0 and monthly_bps >= 0 and rewards_bps >= 0
    and cardinality(level_bps) = 10 and cardinality(team_profit_bps) = 3),
  -- Never more is handed out than the fee.
  constraint fee_plan_trade_waterfall check (trading.sum_bps(level_bps) + weekly_bps + monthly_bps + rewards_bps <= 10000),
  constraint fee_plan_performance_waterfall check (trading.sum_bps(team_profit_bps) <= 10000),
  constraint fee_plan_caps check (weekly_min_directs >= 0 and weekly_cap_bps between 1 and 10000 and leg_cap_bps between 1 and 10000),
  constraint fee_plan_ranks check (cardinality(rank_volume) = 5 and cardinality(rank_monthly) = 5 and cardinality(rank_reward) = 5
    and 0 < all (rank_volume) and 0 <= all (rank_monthly) and 0 <= all (rank_reward)
    and rank_volume[1] < rank_volume[2] and rank_volume[2] < rank_volume[3]
    and rank_volume[3] < rank_volume[4] and rank_volume[4] < rank_volume[5])
);

create function trading.refuse_plan_change() returns trigger language plpgsql as $$
begin
  raise exception 'a fee plan is never changed, only followed by another: % refused', lower(tg_op)
    using errcode = 'TR001', constraint = 'fee_plan_append_only', schema = tg_table_schema, table = tg_table_name;
end $$;
create trigger append_only before update or delete or truncate on trading.fee_plan
  for each statement execute function trading.refuse_plan_change();

insert into trading.fee_plan (trade_fee_bps, performance_fee_bps, withdrawal_fee_bps, withdrawal_fee_min, level_bps, weekly_bps,
  monthly_bps, rewards_bps, team_profit_bps, weekly_min_directs, weekly_cap_bps, leg_cap_bps, rank_volume, rank_monthly, rank_reward,
  note, created_at)
values (40, 1000, 100, 1000000, '{2000, 1000, 600, 400, 300, 200, 200, 100, 100, 100}', 1000, 1000, 500, '{1500, 1000, 500}', 3, 1000, 6000,
  '{5000000000, 25000000000, 100000000000, 500000000000, 2000000000000}',
  '{2000000, 10000000, 40000000, 200000000, 800000000}', '{1000000, 5000000, 20000000, 100000000, 400000000}',
  'The first fee plan.', now());

-- Null before the opening.
alter table trading.session add column fee_plan_id int constraint session_fee_plan references trading.fee_plan;
update trading.session set fee_plan_id = 1 where opened_at is not null;
alter table trading.session add constraint session_fee_plan_from_opening check ((opened_at is null) = (fee_plan_id is null));

-- What compounding plans came to, of the sums of a member's session: income of another kind.
alter table trading.daily_result
  add column compounding_trades int not null default 0,
  add column compounding_volume bigint not null default 0,
  add column compounding_result bigint not null default 0;
update trading.daily_result d
set compounding_trades = c.trades, compounding_volume = c.volume, compounding_result = c.result
from (
  select member_id, session_day, count(*) as trades, sum(amount)::bigint as volume, sum(result)::bigint as result
  from trading.trade where compounding and state = 'settled' group by member_id, session_day) c
where d.member_id = c.member_id and d.session_day = c.session_day;
