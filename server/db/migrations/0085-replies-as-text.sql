-- A reply is kept as the text that was answered: nothing looks inside, and reading it as jsonb took a sixth of placing a
-- group of trades.
alter table http.idempotency alter column reply type text;

-- As before, but for the type.
drop function http.find_replies(bigint[], text[], text[]);
create function http.find_replies(callers bigint[], calls text[], keys text[])
returns table (n bigint, body_hash text, reply text)
language plpgsql stable
set enable_seqscan = off set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
begin
  return query
    select a.n, k.body_hash, k.reply
    from unnest(callers, calls, keys) with ordinality as a(caller_id, call, key, n)
    cross join lateral (
      select i.body_hash, i.reply from http.idempotency i
      where i.caller_id = a.caller_id and i.call = a.call and i.key = a.key limit 1) k;
end $$;
