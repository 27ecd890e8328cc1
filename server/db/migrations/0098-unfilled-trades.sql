-- What the exchange did not fill of a trade that opened in part, and so returned to where its amount came from: with a
-- plan's trade, to the plan.
alter table trading.trade add column unfilled bigint constraint trade_unfilled check (unfilled > 0);

-- Until now no trade took such a part along, so a plan's last one has those of all trades before it as well.
update trading.trade t set unfilled = rest.amount
from (
  select (select max(id) from trading.trade where plan_id = p.id) as id, sum(k.amount) as amount
  from trading.plan p
  join trading.trade own on own.plan_id = p.id
  join ledger.transfer k on k.key = 'trade/' || own.id || '/not-filled'
  where p.state <> 'redeemed'
  group by p.id) as rest
where t.id = rest.id;

create or replace function trading.plan_cash(plan_id bigint, put_in bigint) returns bigint
language sql stable as $$
  select coalesce((
    select coalesce(t.unfilled, 0) + case t.state
      when 'settled' then t.amount + case when t.compounding then t.result else least(t.result, 0) end
      when 'cancelled' then t.amount
      else 0 end
    from trading.trade t where t.plan_id = $1 order by t.id desc limit 1), $2)
$$;
