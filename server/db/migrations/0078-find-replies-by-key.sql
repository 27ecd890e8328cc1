-- A plan that was made while the table was empty read all of its index once for all keys, until the next ANALYZE. Here each
-- key is looked up by itself, whatever the statistics say.
create or replace function http.find_replies(callers bigint[], calls text[], keys text[])
returns table (n bigint, body_hash text, reply jsonb)
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
