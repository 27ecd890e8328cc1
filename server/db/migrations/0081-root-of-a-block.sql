-- Roots of 2, 4, 8, 16 and 32 leaves as a block holds them, hash and amount of each in 40 bytes, from one on that is counted
-- from 0: the bytes that are hashed are cut out of the block. `root_of_32` looked each of them up in an array, for which
-- all before it are gone through.
create function solvency.block_root_2(leaves bytea, i int) returns bytea language sql immutable parallel safe as
$$ select sha256('\x0100000008'::bytea || substr(leaves, i * 40 + 33, 8) || '\x00000020'::bytea || substr(leaves, i * 40 + 1, 32)
  || '\x00000008'::bytea || substr(leaves, i * 40 + 73, 8) || '\x00000020'::bytea || substr(leaves, i * 40 + 41, 32)) $$;
create function solvency.block_root_4(leaves bytea, s bigint[], i int) returns bytea language sql immutable parallel safe as
$$ select solvency.pair_hash(s[i + 1] + s[i + 2], solvency.block_root_2(leaves, i), s[i + 3] + s[i + 4], solvency.block_root_2(leaves, i + 2)) $$;
create function solvency.block_root_8(leaves bytea, s bigint[], i int) returns bytea language sql immutable parallel safe as
$$ select solvency.pair_hash(solvency.sum_of_4(s, i + 1), solvency.block_root_4(leaves, s, i),
  solvency.sum_of_4(s, i + 5), solvency.block_root_4(leaves, s, i + 4)) $$;
create function solvency.block_root_16(leaves bytea, s bigint[], i int) returns bytea language sql immutable parallel safe as
$$ select solvency.pair_hash(solvency.sum_of_4(s, i + 1) + solvency.sum_of_4(s, i + 5), solvency.block_root_8(leaves, s, i),
  solvency.sum_of_4(s, i + 9) + solvency.sum_of_4(s, i + 13), solvency.block_root_8(leaves, s, i + 8)) $$;
create function solvency.block_root_32(leaves bytea, s bigint[]) returns bytea language sql immutable parallel safe as
$$ select solvency.pair_hash(solvency.sum_of_16(s, 1), solvency.block_root_16(leaves, s, 0),
  solvency.sum_of_16(s, 17), solvency.block_root_16(leaves, s, 16)) $$;
