-- The team: who stands above whom (product.md section 7). A member's sponsor is fixed at registration, so the tree only
-- grows at its leaves, has no cycles, and what is written here once stays true.
create schema team;

-- One row a member. `upline` are those above, the sponsor first, ten at most: level n of a member X are the rows with
-- upline[n] = X, read from one index a level. A new member writes only rows of their own and locks nobody else's, so that
-- signing up costs the same under a sponsor with a million below.
create table team.node (
  member_id  bigint not null constraint node_pk primary key,
  sponsor_id bigint,
  upline     bigint[] not null,
  joined_at  timestamptz not null,
  -- The transaction that wrote the row: counts take rows in the order in which these finish.
  tx         bigint not null,
  constraint node_upline check (cardinality(upline) <= 10 and upline[1] is not distinct from sponsor_id)
);
create index node_level_1 on team.node ((upline[1]), member_id) where upline[1] is not null;
create index node_level_2 on team.node ((upline[2]), member_id) where upline[2] is not null;
create index node_level_3 on team.node ((upline[3]), member_id) where upline[3] is not null;
create index node_level_4 on team.node ((upline[4]), member_id) where upline[4] is not null;
create index node_level_5 on team.node ((upline[5]), member_id) where upline[5] is not null;
create index node_level_6 on team.node ((upline[6]), member_id) where upline[6] is not null;
create index node_level_7 on team.node ((upline[7]), member_id) where upline[7] is not null;
create index node_level_8 on team.node ((upline[8]), member_id) where upline[8] is not null;
create index node_level_9 on team.node ((upline[9]), member_id) where upline[9] is not null;
create index node_level_10 on team.node ((upline[10]), member_id) where upline[10] is not null;
create index node_tx on team.node (tx);

-- How many stand at each level below a member, of the rows before the horizon; what came since is counted when it is asked
-- for. A row that every sign-up below updates would make them wait for each other.
create table team.level_count (
  member_id bigint not null,
  level     smallint not null constraint level_count_level check (level between 1 and 10),
  members   bigint not null,
  constraint level_count_pk primary key (member_id, level)
) with (fillfactor = 80);

create table team.count_horizon (
  one boolean primary key default true constraint count_horizon_one check (one),
  tx  bigint not null
);
insert into team.count_horizon (tx) values (0);

-- What a member can be found by: the words of the name and the Registered Id, in lower case.
create table team.search_word (
  word      text collate "C" not null,
  member_id bigint not null,
  constraint search_word_pk primary key (word, member_id)
);
create index search_word_member on team.search_word (member_id);

create function team.write_words(member bigint, member_name text, code text) returns void language sql as $$
  insert into team.search_word (word, member_id)
  select distinct word, member
  from regexp_split_to_table(lower(member_name) || ' ' || lower(code), '\s+') as word
  where word <> ''
$$;

-- Accounts belong to an earlier domain, which knows nothing of teams: the team listens to it here, so that a member and
-- their place are one transaction (docs/decisions/0009-place-in-the-team.md).
create function team.place_member() returns trigger language plpgsql as $$
begin
  if new.sponsor_id is not null and not exists (select from team.node where member_id = new.sponsor_id) then
    raise exception 'the sponsor of member % has no place yet', new.id
      using errcode = 'TM002', constraint = 'team_sponsor_first', schema = 'team', table = 'node';
  end if;
  insert into team.node (member_id, sponsor_id, upline, joined_at, tx)
  select new.id, new.sponsor_id,
    case when new.sponsor_id is null then '{}' else new.sponsor_id || sponsor.upline[1:9] end,
    new.created_at, pg_current_xact_id()::text::bigint
  from (select 1) as one left join team.node sponsor on sponsor.member_id = new.sponsor_id;
  perform team.write_words(new.id, new.name, new.referral_code);
  return null;
end $$;
create trigger place_in_team after insert on identity.member for each row execute function team.place_member();

create function team.rename_member() returns trigger language plpgsql as $$
begin
  delete from team.search_word where member_id = new.id;
  perform team.write_words(new.id, new.name, new.referral_code);
  return null;
end $$;
create trigger rename_in_team after update of name, referral_code on identity.member
  for each row when (old.name is distinct from new.name or old.referral_code is distinct from new.referral_code)
  execute function team.rename_member();

create function team.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the place of a member in the team is fixed: % refused', lower(tg_op)
    using errcode = 'TM001', constraint = 'team_place_fixed', schema = tg_table_schema, table = tg_table_name;
end $$;
create trigger place_fixed before update or delete or truncate on team.node
  for each statement execute function team.refuse_change();
create trigger sponsor_fixed before update of sponsor_id on identity.member
  for each row when (old.sponsor_id is distinct from new.sponsor_id) execute function team.refuse_change();

-- Members who were there before.
insert into team.node (member_id, sponsor_id, upline, joined_at, tx)
with recursive tree as (
  select id, sponsor_id, '{}'::bigint[] as upline, created_at from identity.member where sponsor_id is null
  union all
  select m.id, m.sponsor_id, m.sponsor_id || t.upline[1:9], m.created_at
  from identity.member m join tree t on t.id = m.sponsor_id
)
select id, sponsor_id, upline, created_at, pg_current_xact_id()::text::bigint from tree order by id;
select team.write_words(id, name, referral_code) from identity.member;
