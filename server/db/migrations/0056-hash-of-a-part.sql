-- The same bytes, with the text written out: `convert_to` is not immutable, and kept the planner from inlining a function
-- that is called for every leaf.
create or replace function solvency.part_hash(member_hash bytea, part bigint, amount bigint) returns bytea
language sql immutable strict parallel safe as $$
  -- 00 field("tradewind/leaf/2") field(member hash) field(part) field(amount)
  select sha256('\x0000000010747261646577696e642f6c6561662f3200000020'::bytea || member_hash
    || '\x00000008'::bytea || int8send(part) || '\x00000008'::bytea || int8send(amount))
$$;
