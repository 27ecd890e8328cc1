-- Limits of size (docs/product.md, section 3): how much of an asset one trade, one member and all members may have queued and open.
create table trading.asset_limit (
  symbol        text constraint asset_limit_pk primary key,
  -- Micros; null: none.
  trade_micros  bigint constraint asset_limit_trade check (trade_micros > 0),
  member_micros bigint constraint asset_limit_member check (member_micros > 0),
  all_micros    bigint constraint asset_limit_all check (all_micros > 0),
  -- 1 until operators set them.
  version       int not null default 1,
  -- By the clock of the database. Processes that read them just before place for some seconds as if they were not there.
  set_at        timestamptz not null default clock_timestamp(),
  -- When what was queued was last compared with them.
  checked_at    timestamptz,
  -- At least what is queued and open: placing adds to it, and it is counted anew when it would refuse. Null: not counted yet.
  taken_micros  bigint
) with (fillfactor = 50);

-- What is queued and open of an asset, in micros: in two parts, because each has an index of its own.
create function trading.count_taken(asset text) returns bigint language sql volatile as $$
  select ((select coalesce(sum(amount), 0) from trading.trade where state = 'queued' and symbol = asset)
    + (select coalesce(sum(amount), 0) from trading.trade where state = 'open' and symbol = asset))::bigint
$$;

-- Takes room in their assets for trades that are about to be placed, in their order: the numbers of those that fit. What others have
-- taken and committed is seen, because each statement of a function sees what was committed before it, and these come after the lock.
-- The caller holds the accounts of the trades already, as all do, so that nobody who waits here holds up who is waited for.
-- depth_since: the order book's depth counts if it was measured since; null where there is no exchange.
-- refuses: raises TWL01 for the first that does not fit, with the micros that are still possible.
create function trading.take_room(numbers int[], members bigint[], symbols text[], amounts bigint[], depth_since timestamptz, refuses boolean)
returns setof int language plpgsql as $$
declare
  asset record;
  one record;
  most bigint;
  possible bigint;
  taken bigint;
  granted int[] := '{}';
  granted_micros bigint;
  is_counted boolean;
  -- Every process knows the limits.
  is_settled boolean;
begin
  for asset in
    select l.symbol, l.trade_micros, l.member_micros, l.all_micros, l.set_at, l.taken_micros
    from trading.asset_limit l where l.symbol = any(symbols) order by l.symbol for update
  loop
    select least(asset.all_micros, (
      select d.buy_micros / 2 from trading.depth d where d.symbol = asset.symbol and d.measured_at >= depth_since)) into most;
    is_settled := asset.set_at < clock_timestamp() - interval '5 seconds';
    taken := case when is_settled then asset.taken_micros end;
    is_counted := false;
    granted_micros := 0;
    for one in
      select * from unnest(numbers, members, symbols, amounts) as a(n, member_id, symbol, amount)
      where a.symbol = asset.symbol order by a.n
    loop
      possible := asset.trade_micros;
      if asset.member_micros is not null then
        possible := least(possible, asset.member_micros
          - (select coalesce(sum(t.amount), 0) from trading.trade t
             where t.member_id = one.member_id and t.state in ('queued', 'open') and t.symbol = asset.symbol)
          - (select coalesce(sum(a.amount), 0) from unnest(numbers, members, symbols, amounts) as a(n, member_id, symbol, amount)
             where a.n = any(granted) and a.member_id = one.member_id and a.symbol = asset.symbol));
      end if;
      if most is not null then
        if not is_counted and (taken is null or taken + one.amount > most) then
          taken := trading.count_taken(asset.symbol) + granted_micros;
          is_counted := true;
        end if;
        possible := least(possible, most - taken);
      end if;
      if possible is null or one.amount <= possible then
        taken := taken + one.amount;
        granted := granted || one.n;
        granted_micros := granted_micros + one.amount;
        return next one.n;
      elsif refuses then
        raise exception 'over the limits of %', asset.symbol using errcode = 'TWL01', detail = greatest(possible, 0)::text;
      end if;
    end loop;
    if not is_settled then
      taken := null;
    end if;
    update trading.asset_limit l set taken_micros = taken where l.symbol = asset.symbol and l.taken_micros is distinct from taken;
  end loop;
  return query
    select a.n from unnest(numbers, symbols) as a(n, symbol)
    where not exists (select from trading.asset_limit l where l.symbol = a.symbol);
end $$;

-- A plan that skips a session stays active and says why.
alter table trading.plan
  drop constraint plan_state_reason,
  add constraint plan_state_reason check (state_reason in ('member', 'minimum', 'own_limit', 'asset_off', 'over_asset_limit')),
  drop constraint plan_paused,
  add constraint plan_paused check (
    (state = 'paused') = (state_reason is not null and state_reason <> 'over_asset_limit')
    and (state_reason is distinct from 'over_asset_limit' or state = 'active'));
alter table trading.plan_event
  drop constraint plan_event_kind,
  add constraint plan_event_kind check (kind in ('created', 'paused', 'resumed', 'stops_changed', 'redeemed', 'skipped'));

alter table approvals.proposal drop constraint proposal_kind;
alter table approvals.proposal
  add constraint proposal_kind check (kind in
    ('adjustment', 'treasury', 'fee_plan', 'operator', 'email_change', 'loosening', 'announcement', 'reserve', 'venue_fill', 'asset_limits')),
  add constraint proposal_asset_limits check (kind <> 'asset_limits' or coalesce(
    payload->>'symbol' <> '' and (payload->>'version')::int > 0
    and coalesce((payload->>'tradeMicros')::bigint > 0, true) and coalesce((payload->>'memberMicros')::bigint > 0, true)
    and coalesce((payload->>'allMicros')::bigint > 0, true), false));
