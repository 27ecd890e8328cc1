-- Balances are split into leaves of random size (docs/solvency.md, "Proof of liabilities"). Snapshots from before keep their
-- form, which their version says.
alter table solvency.snapshot
  add column version smallint not null default 1 constraint snapshot_version check (version in (1, 2));
alter table solvency.snapshot alter column version drop default;

-- A tree of version 2 has millions of leaves, and its lowest levels follow from them: a node of level 5 carries the 32
-- leaves below it, each as hash and amount, in the order of their hashes. Level 0 holds a row a member: the hash of what
-- the member is owed, in the order of members.
alter table solvency.node
  add column leaves bytea constraint node_carries_32_leaves check (leaves is null or (level = 5 and length(leaves) = 1280));
-- The block with a leaf is the last that begins at it or before.
create index node_first_leaf on solvency.node (slot, substr(leaves, 1, 32)) where leaves is not null;

-- ---- the bytes that are hashed (contract/solvency/merkle-sum.ts makes the same ones, and checks these) ----

create function solvency.member_hash(snapshot_no bigint, referral_code text, balances bigint[], nonce bytea) returns bytea
language sql immutable strict parallel safe as $$
  select sha256('\x04'::bytea || solvency.field(convert_to('tradewind/member/2', 'UTF8')) || solvency.field(int8send(snapshot_no))
    || solvency.field(convert_to(referral_code, 'UTF8')) || solvency.field(int8send(balances[1])) || solvency.field(int8send(balances[2]))
    || solvency.field(int8send(balances[3])) || solvency.field(int8send(balances[4])) || solvency.field(int8send(balances[5]))
    || solvency.field(nonce))
$$;

-- Lengths are written out: every field has a fixed one, and each argument stands once, so that the planner inlines it.
create function solvency.part_hash(member_hash bytea, part bigint, amount bigint) returns bytea
language sql immutable strict parallel safe as $$
  select sha256('\x0000000010'::bytea || convert_to('tradewind/leaf/2', 'UTF8') || '\x00000020'::bytea || member_hash
    || '\x00000008'::bytea || int8send(part) || '\x00000008'::bytea || int8send(amount))
$$;

create function solvency.pair_hash(left_sum bigint, left_hash bytea, right_sum bigint, right_hash bytea) returns bytea
language sql immutable strict parallel safe as $$
  select sha256('\x0100000008'::bytea || int8send(left_sum) || '\x00000020'::bytea || left_hash
    || '\x00000008'::bytea || int8send(right_sum) || '\x00000020'::bytea || right_hash)
$$;

-- Roots of 2, 4, 8, 16 and 32 leaves, from the one at a place on.
create function solvency.sum_of_4(s bigint[], i int) returns bigint language sql immutable parallel safe as
$$ select s[i] + s[i + 1] + s[i + 2] + s[i + 3] $$;
create function solvency.sum_of_16(s bigint[], i int) returns bigint language sql immutable parallel safe as
$$ select solvency.sum_of_4(s, i) + solvency.sum_of_4(s, i + 4) + solvency.sum_of_4(s, i + 8) + solvency.sum_of_4(s, i + 12) $$;
create function solvency.root_of_2(h bytea[], s bigint[], i int) returns bytea language sql immutable parallel safe as
$$ select solvency.pair_hash(s[i], h[i], s[i + 1], h[i + 1]) $$;
create function solvency.root_of_4(h bytea[], s bigint[], i int) returns bytea language sql immutable parallel safe as
$$ select solvency.pair_hash(s[i] + s[i + 1], solvency.root_of_2(h, s, i), s[i + 2] + s[i + 3], solvency.root_of_2(h, s, i + 2)) $$;
create function solvency.root_of_8(h bytea[], s bigint[], i int) returns bytea language sql immutable parallel safe as
$$ select solvency.pair_hash(solvency.sum_of_4(s, i), solvency.root_of_4(h, s, i), solvency.sum_of_4(s, i + 4), solvency.root_of_4(h, s, i + 4)) $$;
create function solvency.root_of_16(h bytea[], s bigint[], i int) returns bytea language sql immutable parallel safe as
$$ select solvency.pair_hash(solvency.sum_of_4(s, i) + solvency.sum_of_4(s, i + 4), solvency.root_of_8(h, s, i),
  solvency.sum_of_4(s, i + 8) + solvency.sum_of_4(s, i + 12), solvency.root_of_8(h, s, i + 8)) $$;
create function solvency.root_of_32(h bytea[], s bigint[]) returns bytea language sql immutable parallel safe as
$$ select solvency.pair_hash(solvency.sum_of_16(s, 1), solvency.root_of_16(h, s, 1), solvency.sum_of_16(s, 17), solvency.root_of_16(h, s, 17)) $$;

-- ---- how a balance is split (server/solvency/core/split-leaves.ts does the same) ----

-- Random bytes of a member in a snapshot: only who knows the member's nonce can compute them.
create function solvency.split_bytes(member_hash bytea) returns bytea
language sql immutable strict parallel safe as $$ select sha256('\x05'::bytea || member_hash) $$;

-- Eight of them as a number below a limit.
create function solvency.draw_below(random bytea, at int, below bigint) returns bigint
language sql immutable strict parallel safe as $$
  select (('x' || encode(substr(random, at, 8), 'hex'))::bit(64)::bigint & 9223372036854775807) % below
$$;
