import type { Db } from '#server/db/connect.ts';
import { getValue, listRows } from '#server/db/rows.ts';
import { coins, isUnfinished } from '../session/opening-sql.ts';

export type ExposureDifference = { readonly symbol: string; readonly kept: string; readonly counted: string };

/** Compares stored exposures with open trades. They differ only if something bypassed the engine. */
export const listExposureDifferences = (db: Db) =>
  listRows(db)<ExposureDifference>`
    with counted as (
      select symbol, sum(${coins}) as quantity
      from (select symbol, amount - fee as net, open_price from trading.trade where state = 'open') as t group by symbol)
    select coalesce(e.symbol, c.symbol) as symbol, coalesce(e.quantity, 0)::text as kept, coalesce(c.quantity, 0)::text as counted
    from trading.exposure e full join counted c on c.symbol = e.symbol
    where coalesce(e.quantity, 0) <> coalesce(c.quantity, 0) order by 1`;

/** Whether the exchange holds coins of open trades, or an order is unfinished. */
export const hasExposure = (db: Db): Promise<boolean> =>
  getValue(db)<boolean>`
    select exists (select from trading.exposure where quantity > 0)
      or exists (select from trading.batch b where ${isUnfinished}) as found`;

/** How many fills are booked, at most: those of orders, and those made by hand. */
export const countFills = (db: Db): Promise<number> =>
  getValue(db)<number>`
    select ((select count(*) from trading.batch_fill) + (select count(*) from trading.statement_finding))::int as fills`;

/** Bookings whose dollars were rounded to micros one by one: sales of house coins, and statement entries beside fills. */
export const countRounded = (db: Db): Promise<number> =>
  getValue(db)<number>`
    select ((select count(*) from trading.coin_sale where sold > 0)
      + (select count(*) from trading.statement_finding f join trading.statement_line l on l.id = f.line_id
         where f.state = 'booked' and l.kind = 'other'))::int as bookings`;

/** Total cost of all open positions, in micros. */
export const sumOpenCost = (db: Db): Promise<bigint> =>
  getValue(db)<bigint>`
    select coalesce(sum(amount - fee), 0)::bigint as cost from trading.trade where state = 'open'`;

/** Micros of members' positions without a counterpart at the exchange: the residual, and coins sold but unsettled. */
export const sumUnanswered = (db: Db): Promise<bigint> =>
  getValue(db)<bigint>`
    select coalesce(sum(coalesce(e.members_cash, 0) - coalesce(h.members_cash, 0)), 0)::bigint as cash
    from trading.exposure e full join trading.holding h on h.symbol = e.symbol`;
