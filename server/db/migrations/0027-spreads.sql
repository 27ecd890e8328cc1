-- Raised by every decision of an operator about an asset, so that nobody decides about what somebody else changed.
alter table market.asset add column version integer not null default 1;

-- Spreads are versioned data, for the future only (product.md section 3): the newest change of an asset takes effect with
-- the next session that opens, in the transaction that opens it, and holds from then on. `market.asset.spread_bps` is what
-- is in force.
create table market.spread_change (
  id               bigint not null generated always as identity constraint spread_change_pk primary key,
  asset_id         smallint not null constraint spread_change_of_asset references market.asset,
  -- What was in force when it was written, and is until it takes effect.
  before_bps       integer not null,
  spread_bps       integer not null constraint spread_change_in_range check (spread_bps between 0 and 1000),
  reason           text not null constraint spread_change_has_reason check (reason <> ''),
  operator_id      bigint not null,
  created_at       timestamptz not null,
  -- The first session that is played at it. Null before that, and for good when a later change came before the opening.
  first_session_on date
);
create index spread_change_newest on market.spread_change (asset_id, id desc);

create function market.refuse_spread_change() returns trigger language plpgsql as $$
begin
  raise exception 'a change of spread is never changed, only followed by another: % refused', lower(tg_op)
    using errcode = 'TWM02', constraint = 'spread_change_append_only', schema = tg_table_schema, table = tg_table_name;
end $$;
-- Only the session it takes effect in is ever written after it, and once.
create trigger spread_change_takes_effect_once before update on market.spread_change for each row
  when (old.first_session_on is not null
    or (old.id, old.asset_id, old.before_bps, old.spread_bps, old.reason, old.operator_id, old.created_at)
      is distinct from (new.id, new.asset_id, new.before_bps, new.spread_bps, new.reason, new.operator_id, new.created_at))
  execute function market.refuse_spread_change();
create trigger spread_change_stays before delete or truncate on market.spread_change
  for each statement execute function market.refuse_spread_change();
