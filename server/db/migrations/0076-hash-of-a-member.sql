-- The same bytes, in a form that the planner inlines: `convert_to` is not immutable, so that neither is this, and every field
-- but the code has a fixed length.
create or replace function solvency.member_hash(snapshot_no bigint, referral_code text, balances bigint[], nonce bytea) returns bytea
language sql stable strict parallel safe as $$
  -- 04 field("tradewind/member/2") field(snapshot no) field(code) field(each balance) field(nonce)
  select sha256('\x0400000012747261646577696e642f6d656d6265722f3200000008'::bytea || int8send(snapshot_no)
    || int4send(octet_length(convert_to(referral_code, 'UTF8'))) || convert_to(referral_code, 'UTF8')
    || '\x00000008'::bytea || int8send(balances[1]) || '\x00000008'::bytea || int8send(balances[2])
    || '\x00000008'::bytea || int8send(balances[3]) || '\x00000008'::bytea || int8send(balances[4])
    || '\x00000008'::bytea || int8send(balances[5]) || '\x00000020'::bytea || nonce)
$$;
