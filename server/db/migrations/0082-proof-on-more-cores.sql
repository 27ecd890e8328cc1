-- The tree over all members is made by all cores there are. PostgreSQL never spreads an INSERT over several processes, but it
-- spreads a query whose rows a function returns: what takes long, a million members' hashes and two million leaves, is
-- made and sorted there, and only what must be one after the other is left to the process that writes.

-- Members with `low <= id < high`, no bound where it is null: balances in the order of the classes' numbers, and the hash over
-- them. One without a code has no hash, which stops whoever stores it: nobody is left out in silence.
create function solvency.members_between(low bigint, high bigint, snapshot_no bigint, pad_inner bytea, pad_outer bytea)
returns table (member_id bigint, balances bigint[], hash bytea) language sql stable parallel safe as $$
  select b.member_id, b.balances,
    solvency.member_hash(snapshot_no, m.referral_code, b.balances, sha256(pad_outer || sha256(pad_inner || int8send(b.member_id))))
  from (
    select a.member_id, array[max(a.balance::bigint) filter (where a.class = 1), max(a.balance::bigint) filter (where a.class = 2),
      max(a.balance::bigint) filter (where a.class = 3), max(a.balance::bigint) filter (where a.class = 4),
      max(a.balance::bigint) filter (where a.class = 5)] as balances
    from ledger.account a
    where a.id >= coalesce(low, 0) * 32 and (high is null or a.id < high * 32) group by a.member_id) as b
  left join (
    select id, referral_code from identity.member where id >= coalesce(low, 0) and (high is null or id < high)) as m on m.id = b.member_id
$$;

-- Everybody, in the order of their ids. Processes share the ranges, never the rows of one: of a range shared, only the reading
-- would be.
create function solvency.counted_members(snapshot_no bigint, pad_inner bytea, pad_outer bytea)
returns table ("position" int, sum bigint, hash bytea, member_id bigint, balances bigint[]) language plpgsql
set plan_cache_mode = force_custom_plan set parallel_tuple_cost = 0
set min_parallel_table_scan_size = '5TB' set min_parallel_index_scan_size = '5TB' as $$
declare
  eighth constant bigint := (select coalesce(max(id), 0) / 256 from ledger.account);
begin
  return query
    select (row_number() over (order by c.member_id) - 1)::int,
      c.balances[1] + c.balances[2] + c.balances[3] + c.balances[4] + c.balances[5], c.hash, c.member_id, c.balances
    from (
      select * from solvency.members_between(null, eighth, snapshot_no, pad_inner, pad_outer)
      union all select * from solvency.members_between(eighth, eighth * 2, snapshot_no, pad_inner, pad_outer)
      union all select * from solvency.members_between(eighth * 2, eighth * 3, snapshot_no, pad_inner, pad_outer)
      union all select * from solvency.members_between(eighth * 3, eighth * 4, snapshot_no, pad_inner, pad_outer)
      union all select * from solvency.members_between(eighth * 4, eighth * 5, snapshot_no, pad_inner, pad_outer)
      union all select * from solvency.members_between(eighth * 5, eighth * 6, snapshot_no, pad_inner, pad_outer)
      union all select * from solvency.members_between(eighth * 6, eighth * 7, snapshot_no, pad_inner, pad_outer)
      union all select * from solvency.members_between(eighth * 7, null, snapshot_no, pad_inner, pad_outer)) as c;
end $$;

-- All leaves, the parts of balances and the padding between them, in the order of their hashes: that is as good as random,
-- because nobody else can compute them. They come in shares of some 32 768, each leaf in 40 bytes, and their amounts.
-- (`unnest` of one element keeps the draw from being made once for each time it is named.)
create function solvency.sorted_leaves(filled int, pad_inner bytea, pad_outer bytea, padding int, size int)
returns table (leaves bytea, amounts bigint[]) language plpgsql
set plan_cache_mode = force_custom_plan set parallel_tuple_cost = 0 as $$
declare
  shares constant int := least(256, 1 + size / 32768);
begin
  return query
    select string_agg(sorted.leaf, ''::bytea), array_agg(sorted.amount)
    from (
      select get_byte(made.leaf, 0) * shares / 256 as share, made.leaf, made.amount
      from (
        select unnest(array[m.one, m.sum - m.one]) as amount, unnest(array[
          solvency.part_hash(m.hash, 1, m.one) || int8send(m.one),
          solvency.part_hash(m.hash, 2, m.sum - m.one) || int8send(m.sum - m.one)]) as leaf
        from (
          select n.hash, n.sum, unnest(array[solvency.draw_below(solvency.split_bytes(n.hash), 1, greatest(n.sum, 1))]) as one
          from solvency.node n where n.slot = filled and n.level = 0) as m
        union all
        select 0::bigint, solvency.part_hash(sha256(pad_outer || sha256(pad_inner || int8send(n))), 1, 0) || '\x0000000000000000'::bytea
        from generate_series(1::bigint, padding) as n) as made
      order by share, leaf) as sorted
    group by sorted.share order by sorted.share;
end $$;

-- Their blocks of 32. What is left over at the end of a share belongs to the block that the next one goes on with.
-- (A query sees what a variable holds as it is only through `flat`: a slice would copy the whole each time.)
create function solvency.blocks(filled int, pad_inner bytea, pad_outer bytea, padding int, size int)
returns table ("position" int, sum bigint, hash bytea, leaves bytea) language plpgsql as $$
declare
  sorted record;
  rest bytea := '';
  owed bigint[] := '{}';
  before int := 0;
  whole int;
begin
  for sorted in select s.leaves, s.amounts from solvency.sorted_leaves(filled, pad_inner, pad_outer, padding, size) as s loop
    rest := rest || sorted.leaves;
    owed := owed || sorted.amounts;
    whole := length(rest) / 1280;
    return query
      with flat as materialized (select rest as leaves, owed as amounts)
      select before + block.no, solvency.sum_of_16(block.amounts, 1) + solvency.sum_of_16(block.amounts, 17),
        solvency.block_root_32(block.leaves, block.amounts), block.leaves
      from (
        select no, substr(flat.leaves, no * 1280 + 1, 1280) as leaves, flat.amounts[no * 32 + 1 : no * 32 + 32] as amounts
        from flat cross join generate_series(0, whole - 1) as no offset 0) as block;
    rest := substr(rest, whole * 1280 + 1);
    owed := owed[whole * 32 + 1 :];
    before := before + whole;
  end loop;
  if rest <> '' then
    raise exception 'leaves do not make whole blocks';
  end if;
end $$;
