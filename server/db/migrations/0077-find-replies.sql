-- The replies that are kept for a group of keys, by the number of each. A plan that was made while the table was small reads
-- all of it for each key, until the next ANALYZE; here it is the index always.
create function http.find_replies(callers bigint[], calls text[], keys text[])
returns table (n bigint, body_hash text, reply jsonb)
language plpgsql stable
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
begin
  return query
    select a.n, k.body_hash, k.reply
    from unnest(callers, calls, keys) with ordinality as a(caller_id, call, key, n)
    join http.idempotency k on k.caller_id = a.caller_id and k.call = a.call and k.key = a.key;
end $$;
