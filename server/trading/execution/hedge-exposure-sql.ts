import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';

/**
 * Coins of a position, from its `net` (amount less fee, micros) and `open_price`. Rounded alike when a trade opens and
 * when it settles, so that the exposure of an asset without open trades is exactly zero.
 */
const coins = sql`round(net::numeric / (open_price * 1000000), 12)`;

/**
 * A part of the `with` clause that opens trades, when the venue hedges: adds what they bought to the exposure of their
 * assets. In the same statement, so that no crash can part them.
 *
 * @param opened a relation `symbol, net, open_price`, with its alias
 */
export const addOpenedExposure = (opened: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  insert into trading.exposure as e (symbol, quantity, members_cash)
  select symbol, sum(${coins}), -sum(net) from ${opened} group by symbol order by symbol
  on conflict (symbol) do update set
    quantity = e.quantity + excluded.quantity, members_cash = e.members_cash + excluded.members_cash`;

/**
 * The same for the statement that settles trades: takes away what they had added when they opened. Chunks that settle at
 * once take the assets' rows in one order.
 *
 * @param settled a relation `symbol, net, open_price, proceeds`, with its alias
 */
export const addSettledExposure = (settled: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  update trading.exposure e
  set quantity = e.quantity - c.quantity, members_cash = e.members_cash + c.proceeds
  from (
    select locked.symbol, sums.quantity, sums.proceeds
    from trading.exposure locked
    join (select symbol, sum(${coins}) as quantity, sum(proceeds) as proceeds from ${settled} group by symbol) as sums
      on sums.symbol = locked.symbol
    order by locked.symbol for update of locked) as c
  where e.symbol = c.symbol`;

export type ExposureDifference = { readonly symbol: string; readonly kept: string; readonly counted: string };

/** What the kept exposures say against what the open trades say: the same, or somebody wrote behind the engine's back. */
export async function listExposureDifferences(db: Db): Promise<ExposureDifference[]> {
  const { rows } = await sql<ExposureDifference>`
    with counted as (
      select symbol, sum(${coins}) as quantity
      from (select symbol, amount - fee as net, open_price from trading.trade where state = 'open') as t group by symbol)
    select coalesce(e.symbol, c.symbol) as symbol, coalesce(e.quantity, 0)::text as kept, coalesce(c.quantity, 0)::text as counted
    from trading.exposure e full join counted c on c.symbol = e.symbol
    where coalesce(e.quantity, 0) <> coalesce(c.quantity, 0) order by 1`.execute(db);
  return rows;
}

export async function hasExposure(db: Db): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from trading.exposure where quantity > 0) as found`.execute(db);
  return rows[0]?.found === true;
}

/** What all open positions cost, in micros. */
export async function sumOpenCost(db: Db): Promise<bigint> {
  const { rows } = await sql<{ cost: bigint }>`
    select coalesce(sum(amount - fee), 0)::bigint as cost from trading.trade where state = 'open'`.execute(db);
  return rows[0]?.cost ?? 0n;
}
