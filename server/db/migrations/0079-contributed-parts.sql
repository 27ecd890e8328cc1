-- What members contributed to a week or month is summed up on two connections, by chunks of traders, and kept in a row for each block of
-- members (`batchOf`, 4096 ids) instead of one for each member.
alter table income.contribution rename to contribution_row;
alter table income.contribution_row drop constraint contribution_pk;

create table income.contribution (
  kind               text not null constraint contribution_block_kind check (kind in ('weekly', 'monthly')),
  starts_on          date not null,
  no                 int not null,
  -- Whose fees it came from: members of 65 536 ids. What a member contributed in all is in the rows of all chunks.
  chunk              int not null,
  contributors       bigint[] not null,
  contributed        bigint[] not null constraint contribution_is_part check (0 <= all (contributed)),
  -- To the fill of the rewards pool, by those who reached a new rank. Of a month.
  reward_contributed bigint[] constraint contribution_is_reward_part check (0 <= all (reward_contributed)),
  constraint contribution_pk primary key (kind, starts_on, no, chunk),
  constraint contribution_lengths check (cardinality(contributors) = cardinality(contributed)
    and (kind = 'monthly') = (reward_contributed is not null) and cardinality(contributors) = coalesce(cardinality(reward_contributed), cardinality(contributors)))
);
-- Compressing them takes longer than writing them.
alter table income.contribution
  alter column contributors set storage external, alter column contributed set storage external, alter column reward_contributed set storage external;
create index contribution_chunk on income.contribution (kind, starts_on, chunk);

insert into income.contribution (kind, starts_on, no, chunk, contributors, contributed, reward_contributed)
select kind, starts_on, member_id / 4096, 0, array_agg(member_id), array_agg(contributed),
  case when kind = 'monthly' then array_agg(reward_contributed) end
from (
  select case when kind = 'weekly' then 'weekly' else 'monthly' end as kind, starts_on, member_id,
    coalesce(sum(contributed) filter (where kind <> 'rewards'), 0)::bigint as contributed,
    coalesce(sum(contributed) filter (where kind = 'rewards'), 0)::bigint as reward_contributed
  from income.contribution_row group by 1, 2, 3) as one
group by kind, starts_on, member_id / 4096;
drop table income.contribution_row;

-- A byte for each member's id while parts are summed up: 1 for who qualifies, 16 for who reached a new rank. Null in periods by the first
-- rule, and once all parts are there.
alter table income.period_run add column flags bytea constraint period_run_flags check (flags is null or (state = 'computing' and rule = 2));
alter table income.period_run alter column flags set storage external;
