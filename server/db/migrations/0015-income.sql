-- Incomes from the team (product.md sections 1 and 6): what each session's fees were shared into, and what the pools paid.
-- Days are market days of sessions, amounts micros, rates basis points.
create schema income;

-- One row a session, once its bonus run has begun. Killed anywhere, the run goes on from here: a step that is done has left
-- its mark in the transaction that did it.
create table income.bonus_run (
  session_day        date not null constraint bonus_run_pk primary key,
  closes_at          timestamptz not null,
  -- In force when the session opened.
  fee_plan_id        int not null,
  state              text not null default 'collecting' constraint bonus_run_state check (state in ('collecting', 'paying', 'checking', 'done')),
  -- Levels that are summed up in income.level_sum: -1 none, 0 the members' own, 10 all.
  collected_level    smallint not null default -1,
  -- What was collected: known when all levels are.
  traded_members     bigint,
  volume             bigint,
  trade_fees         bigint,
  performance_fees   bigint,
  -- Where it went: known when all is paid. Together they are the fees, to the last micro.
  referral_bonus     bigint,
  level_bonus        bigint,
  team_profit        bigint,
  pool_weekly        bigint,
  pool_monthly       bigint,
  pool_rewards       bigint,
  trade_revenue      bigint,
  performance_revenue bigint,
  -- sha256 in hexadecimal of what the run rests on and of what it came to (server/income/core/manifest.ts).
  inputs_hash        text,
  outputs_hash       text,
  -- Market time, and real time.
  ran_at             timestamptz,
  finished_at        timestamptz,
  constraint bonus_run_collected check ((state = 'collecting') = (trade_fees is null)
    and num_nonnulls(traded_members, volume, trade_fees, performance_fees) in (0, 4)),
  constraint bonus_run_paid check ((state in ('collecting', 'paying')) = (referral_bonus is null)
    and num_nonnulls(referral_bonus, level_bonus, team_profit, pool_weekly, pool_monthly, pool_rewards, trade_revenue, performance_revenue) in (0, 8)),
  -- The sum of all shares of a fee is the fee.
  constraint bonus_run_trade_fees check (trade_fees = referral_bonus + level_bonus + pool_weekly + pool_monthly + pool_rewards + trade_revenue),
  constraint bonus_run_performance_fees check (performance_fees = team_profit + performance_revenue),
  constraint bonus_run_done check ((state = 'done') = (finished_at is not null))
);
-- Runs go one after another.
create unique index bonus_run_unfinished on income.bonus_run ((true)) where state <> 'done';

-- Working table of the run under way: sums over the members at each level below a member, made level by level up the sponsor
-- links. Level 0 are the members themselves. Emptied when the next run begins.
create table income.level_sum (
  level            smallint not null,
  member_id        bigint not null,
  -- Members who traded.
  traders          bigint not null,
  volume           bigint not null,
  trade_fees       bigint not null,
  performance_fees bigint not null,
  -- Members who became active, less those who ceased to be.
  active_change    bigint not null,
  constraint level_sum_pk primary key (level, member_id)
);

-- What a member got of a session's fees from one level, or why nothing. A line exists where somebody at that level traded.
-- Never changed: whoever asks later sees what was known then.
create table income.bonus_line (
  session_day      date not null,
  member_id        bigint not null,
  level            smallint not null constraint bonus_line_level check (level between 1 and 10),
  traders          bigint not null,
  volume           bigint not null,
  trade_fees       bigint not null,
  performance_fees bigint not null,
  -- The share this level has by the fee plan, of the trade fees: referral bonus (level 1) or level bonus.
  bonus_bps        int not null,
  bonus            bigint not null,
  -- The same of the performance fees: team profit; 0 beyond level 3.
  profit_bps       int not null,
  team_profit      bigint not null,
  -- Directs who were active then.
  active_directs   bigint not null,
  -- Why it paid nothing; null when the member qualified.
  reason           text constraint bonus_line_reason check (reason in ('company', 'inactive', 'directs')),
  constraint bonus_line_pk primary key (session_day, member_id, level),
  constraint bonus_line_paid check (bonus >= 0 and team_profit >= 0 and (reason is null or (bonus = 0 and team_profit = 0)))
);

-- Members are paid in blocks of 4096 ids. A block that has its row is paid: lines, transfers, standings and messages are in
-- the transaction that wrote it.
create table income.bonus_block (
  session_day date not null,
  no          int not null,
  -- sha256 of its members' lines; null when there are none.
  hash        bytea,
  lines       bigint not null,
  referral_bonus bigint not null,
  level_bonus bigint not null,
  team_profit bigint not null,
  constraint bonus_block_pk primary key (session_day, no)
);

-- Where each member stands as of the last bonus run: sums that would take too long to make when somebody asks. Who never
-- traded and has nobody below who did has no row.
create table income.standing (
  member_id          bigint not null constraint standing_pk primary key,
  sponsor_id         bigint,
  -- The session of the last settled trade.
  last_traded_on     date,
  -- Of the last 30 days: own volume, that of levels 1 to 10, and that of the leg this member heads (own and levels 1 to 9).
  volume             bigint not null default 0,
  team_volume        bigint not null default 0,
  leg_volume         bigint not null default 0,
  -- Referral bonus, level bonus and team profit together.
  bonus              bigint not null default 0,
  -- Active members at levels 1 to 10.
  active_by_level    bigint[] not null default '{0,0,0,0,0,0,0,0,0,0}' constraint standing_levels check (cardinality(active_by_level) = 10 and 0 <= all (active_by_level)),
  -- Of the week that begins on this Monday.
  week               date,
  week_team_volume   bigint not null default 0,
  -- Of the month that begins on this day.
  month              date,
  month_team_volume  bigint not null default 0,
  month_leg_volume   bigint not null default 0,
  -- What the team's fees put into the monthly and the rewards pool, in basis points of a micro (trade fees × share).
  month_put_monthly  numeric(40) not null default 0,
  month_put_rewards  numeric(40) not null default 0
) with (fillfactor = 70);
create index standing_leg on income.standing (sponsor_id, leg_volume desc, member_id);

-- Weekly income (Monday to Sunday of market time) and monthly income. A period has its row once its run has begun; what it
-- pays from is its own: what its sessions put into the pool and earlier periods left there.
create table income.period_run (
  kind              text not null constraint period_run_kind check (kind in ('weekly', 'monthly')),
  -- First day of the period, and of the next one.
  starts_on         date not null,
  ends_on           date not null,
  fee_plan_id       int not null,
  -- The last session of the period, which says who was active; null when it had none.
  last_session      date,
  state             text not null default 'paying' constraint period_run_state check (state in ('paying', 'checking', 'done')),
  -- In the pool when the period ended; left over from before in it.
  pool              bigint not null constraint period_run_pool check (pool >= 0),
  carried           bigint not null,
  -- Weekly: team volume of all who qualify. Monthly: what all would get of an endless pool.
  total             numeric(40) not null,
  qualified         bigint not null,
  paid              bigint,
  inputs_hash       text,
  outputs_hash      text,
  -- Market time, and real time.
  ran_at            timestamptz not null,
  finished_at       timestamptz,
  constraint period_run_pk primary key (kind, starts_on),
  constraint period_run_paid check ((state = 'paying') = (paid is null) and paid <= pool),
  constraint period_run_done check ((state = 'done') = (finished_at is not null))
);

create table income.period_block (
  kind      text not null,
  starts_on date not null,
  no        int not null,
  hash      bytea,
  lines     bigint not null,
  paid      bigint not null,
  constraint period_block_pk primary key (kind, starts_on, no)
);

-- What a week came to for a member whose team traded, or why nothing.
create table income.weekly_line (
  member_id      bigint not null,
  week           date not null,
  volume         bigint not null,
  active_directs bigint not null,
  -- The pool in proportion, before the cap; and what was paid.
  nominal        bigint not null,
  paid           bigint not null constraint weekly_line_paid check (paid between 0 and nominal),
  reason         text constraint weekly_line_reason check (reason in ('company', 'inactive', 'directs')),
  constraint weekly_line_pk primary key (member_id, week)
);

-- What a month came to for a member whose team traded.
create table income.monthly_line (
  member_id   bigint not null,
  month       date not null,
  -- Bronze 1 to Diamond 5; null when no rank was reached.
  rank        smallint constraint monthly_line_rank check (rank between 1 and 5),
  -- Team volume, and what of it counts for the rank that was reached (or else for the first) under the leg rule.
  team_volume bigint not null,
  volume      bigint not null,
  -- What the rank's volume put into the pool, the income before scaling, and what was paid.
  contributed bigint not null,
  nominal     bigint not null,
  paid        bigint not null constraint monthly_line_paid check (paid between 0 and nominal),
  reason      text constraint monthly_line_reason check (reason in ('company', 'inactive', 'rank')),
  constraint monthly_line_pk primary key (member_id, month)
);

-- The legs of a month as its run saw them, so that every rank can be explained afterwards.
create table income.month_leg (
  sponsor_id bigint not null,
  month      date not null,
  volume     bigint not null,
  member_id  bigint not null,
  constraint month_leg_pk primary key (sponsor_id, month, volume, member_id)
);

-- Rank rewards, once in a lifetime. A row is there from the month that first reached the rank.
create table income.reward (
  member_id  bigint not null,
  rank       smallint not null constraint reward_rank check (rank between 1 and 5),
  month      date not null,
  nominal    bigint not null constraint reward_nominal check (nominal >= 0),
  state      text not null default 'claimable' constraint reward_state check (state in ('claimable', 'waiting', 'paid')),
  -- Place in line of all claims ever made.
  claim_no   bigint,
  claimed_at timestamptz,
  paid_at    timestamptz,
  constraint reward_pk primary key (member_id, rank),
  constraint reward_claimed check ((state = 'claimable') = (claim_no is null) and (claim_no is null) = (claimed_at is null)),
  constraint reward_paid check ((state = 'paid') = (paid_at is not null))
);
create unique index reward_line on income.reward (claim_no) where state = 'waiting';

-- Whoever pays from the rewards pool holds this row: claims are served one after another, in line.
create table income.reward_desk (
  one      boolean primary key default true constraint reward_desk_one check (one),
  claim_no bigint not null default 0
);
insert into income.reward_desk default values;

-- How a team grew: one point a week for each member who has one.
create table income.growth (
  member_id bigint not null,
  week      date not null,
  members   bigint not null,
  active    bigint not null,
  constraint growth_pk primary key (member_id, week)
);
