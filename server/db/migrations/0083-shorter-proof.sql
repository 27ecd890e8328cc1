-- Fewer steps for each member and leaf of the tree, with the same hashes.

-- `array_send` writes each balance behind its length in four bytes, as `field` does, after 20 bytes about the array.
create or replace function solvency.member_hash(snapshot_no bigint, referral_code text, balances bigint[], nonce bytea) returns bytea
language sql stable strict parallel safe as $$
  -- 04 field("tradewind/member/2") field(snapshot no) field(code) field(each balance) field(nonce)
  select sha256('\x0400000012747261646577696e642f6d656d6265722f3200000008'::bytea || int8send(snapshot_no)
    || int4send(octet_length(convert_to(referral_code, 'UTF8'))) || convert_to(referral_code, 'UTF8')
    || substr(array_send(balances), 21) || ('\x00000020'::bytea || nonce))
$$;

-- What stands in brackets is worked out once, where the part is a constant.
create or replace function solvency.part_hash(member_hash bytea, part bigint, amount bigint) returns bytea
language sql immutable strict parallel safe as $$
  -- 00 field("tradewind/leaf/2") field(member hash) field(part) field(amount)
  select sha256('\x0000000010747261646577696e642f6c6561662f3200000020'::bytea || member_hash
    || ('\x00000008'::bytea || int8send(part) || '\x00000008'::bytea) || int8send(amount))
$$;

-- By the leaf alone: of a single column PostgreSQL compares the first bytes in place, and most leaves differ in them. The
-- shares are put together in the order in which their leaves come.
-- (`unnest` of one element keeps the draw from being made once for each time it is named.)
create or replace function solvency.sorted_leaves(filled int, pad_inner bytea, pad_outer bytea, padding int, size int)
returns table (leaves bytea, amounts bigint[]) language plpgsql
set plan_cache_mode = force_custom_plan set parallel_tuple_cost = 0 set enable_hashagg = on as $$
declare
  shares constant int := least(256, 1 + size / 32768);
begin
  return query
    select string_agg(sorted.leaf, ''::bytea), array_agg(sorted.amount)
    from (
      select made.leaf, made.amount
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
      order by leaf) as sorted
    group by get_byte(sorted.leaf, 0) * shares / 256 order by get_byte(sorted.leaf, 0) * shares / 256;
end $$;
