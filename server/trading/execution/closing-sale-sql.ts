import { sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, getRow, hasRow, listRows, listValues } from '#server/db/rows.ts';
import { assetMarks } from '#server/market/index.ts';
import { coins } from '../session/opening-sql.ts';
import type { Batch } from './batch-sql.ts';

/** Identifies the closing sale of one asset in one session. */
export type SaleKey = { readonly day: string; readonly symbol: string };

export type Sale = {
  /** Coins of its positions, rounded down to 12 decimals, and how many of them are sold. */
  readonly total: string;
  readonly sold: string;
  /** Average price net of the exchange's fee, excluding the markup; null while nothing is sold. */
  readonly net: string | null;
  readonly spreadBps: number;
  readonly isDone: boolean;
};

/** Positions of that session only: trades opened in a later session are not sold with carried positions. */
const openOf = ({ day, symbol }: SaleKey) => sql`
  t.state = 'open' and t.symbol = ${symbol} and t.session_day = ${day}::date`;

/** A sale, and whether its positions were carried over: then its session has ended without them. */
export type OpenSale = SaleKey & { readonly isCarried: boolean };

/** Unless some are carried over, all open positions of an asset are of the current session: adding up by trade is slow. */
const coinsLeft = ({ isCarried, ...key }: OpenSale) => sql`
  case when ${isCarried} or exists (select from trading.trade where carried and state = 'open' and symbol = ${key.symbol}) then (
    select coalesce(sum(${coins} - coalesce(sold_coins, 0)), 0)
    from (select amount - fee as net, open_price, sold_coins from trading.trade t where ${openOf(key)}) as t)
  else coalesce((select quantity from trading.exposure where symbol = ${key.symbol}), 0) - coalesce((
    select sum(sold_coins) from trading.trade where sold_coins is not null and state = 'open' and symbol = ${key.symbol}), 0)
  end`;

/** Starts a sale if there is none, and reads it. The caller holds the lock on the asset's holding. */
export async function readSale(tx: Tx, key: OpenSale, spreadBps: number): Promise<Sale> {
  await execute(tx)`
    insert into trading.closing_sale (session_day, symbol, spread_bps) values (${key.day}::date, ${key.symbol}, ${spreadBps})
    on conflict do nothing`;
  return getRow(tx)<Sale>`
    select sold::text as sold, case when sold > 0 then round(dollars / sold, 12)::text end as net, done_at is not null as "isDone",
      spread_bps as "spreadBps", trunc(${coinsLeft(key)}, 12)::text as total
    from trading.closing_sale where session_day = ${key.day}::date and symbol = ${key.symbol}`;
}

/** Adds what one part sold, at its price. */
export const addToSale = (tx: Tx, { symbol, day, sell, wanted, settleCoins }: Batch) =>
  execute(tx)`
    update trading.closing_sale set sold = sold + part.coins, dollars = dollars + part.coins * ${sell?.net ?? '0'}::numeric,
      cost = cost + part.coins * ${sell?.fill ?? '0'}::numeric
    from (select ${settleCoins ?? wanted.sellCoins}::numeric as coins) as part
    where session_day = ${day}::date and symbol = ${symbol}`;

export const updateSaleDone = (tx: Tx, { day, symbol }: SaleKey, at: Date) =>
  hasRow(tx)`
    update trading.closing_sale set done_at = ${at} where session_day = ${day}::date and symbol = ${symbol} and done_at is null
    returning 1`;

/**
 * Sales of earlier sessions whose positions were carried over. A batch of that session may have closed them meanwhile:
 * then there is nothing to sell.
 */
export const listCarriedSales = (db: Db, today: string) =>
  listRows(db)<SaleKey>`
    select to_char(s.session_day, 'YYYY-MM-DD') as day, s.symbol from trading.closing_sale s
    where s.done_at is null and s.settled_at is null and s.session_day < ${today}::date and exists (
      select from trading.trade t where t.carried and t.state = 'open' and t.symbol = s.symbol and t.session_day = s.session_day)
    order by s.session_day, s.symbol`;

/**
 * Settles sales whose trades all have a result, those of sessions before `today` also with nothing sold. Open trades are
 * read once rather than per sale.
 */
export const updateSalesSettled = (db: Db, today: string, at: Date) =>
  execute(db)`
    with sold as materialized (
      select symbol, session_day from trading.closing_sale
      where settled_at is null and (done_at is not null or session_day < ${today}::date)),
    held as materialized (
      select distinct symbol, session_day from trading.trade where state = 'open' and exists (select from sold))
    update trading.closing_sale s set settled_at = ${at}
    where (s.symbol, s.session_day) in (select symbol, session_day from sold except select symbol, session_day from held)`;

/** Assets with open positions that are not carried over. Searches for one such trade in each asset with exposure. */
export const listOpenSymbols = (db: Db): Promise<string[]> =>
  listValues(db)`
    select e.symbol from trading.exposure e
    where e.quantity > 0 and exists (
      select from trading.trade t where t.state = 'open' and not t.carried and t.symbol = e.symbol offset 0)
    order by e.symbol`;

/** Whether a finished sale of the asset still awaits its results. No batch of the asset is planned until then. */
export const hasUnsettledSale = (db: Db, symbol: string) =>
  hasRow(
    db,
  )`select 1 from trading.closing_sale where symbol = ${symbol} and done_at is not null and settled_at is null`;

export type UnsoldSale = SaleKey & {
  readonly quantity: string;
  readonly held: string;
  readonly mark: string | null;
  readonly markAt: Date | null;
  readonly isCarried: boolean;
};

/** What is left to sell from closed sessions, in coins of their positions. */
export const listUnsoldSales = (db: Db) =>
  listRows(db)<UnsoldSale>`
    select to_char(t.session_day, 'YYYY-MM-DD') as day, t.symbol, trunc(t.coins - coalesce(s.sold, 0), 12)::text as quantity, h.held::text as held,
      a.price::text as mark, a.at as "markAt", t.carried as "isCarried"
    from (
      select session_day, symbol, carried, sum(${coins} - coalesce(sold_coins, 0)) as coins
      from (select session_day, symbol, carried, amount - fee as net, open_price, sold_coins from trading.trade where state = 'open') as open
      group by session_day, symbol, carried) as t
    join trading.holding h on h.symbol = t.symbol join ${assetMarks} as a on a.symbol = t.symbol
    left join trading.closing_sale s on s.session_day = t.session_day and s.symbol = t.symbol
    where s.done_at is null and (t.carried or exists (
      select from trading.session n where n.day = t.session_day and n.state = 'settling'))
    order by t.session_day, t.symbol`;
