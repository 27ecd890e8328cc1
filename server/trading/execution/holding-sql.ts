import type { Db, Tx } from '#server/db/connect.ts';
import { execute, getRow, getValue, listRows } from '#server/db/rows.ts';
import type { Transfer } from '#server/ledger/index.ts';
import { assetMarks } from '#server/market/index.ts';
import type { HoldingState, MemberPositions } from '../core/execution/holding-state.ts';

export type Holding = HoldingState & {
  readonly symbol: string;
  /** Consecutive orders rejected by the exchange: while above zero, nothing is placed in the asset. */
  readonly rejections: number;
  readonly haltReason: string | null;
  readonly retryAt: Date | null;
};

export const insertHolding = (tx: Tx, symbol: string) =>
  execute(tx)`insert into trading.holding (symbol) values (${symbol}) on conflict do nothing`;

/** Locks what the exchange holds of an asset. Planning and booking are serialized on this lock. */
export const lockHolding = (tx: Tx, symbol: string) =>
  getRow(tx)<Holding>`
    select symbol, held::text as held, members_cash as "membersCash", venue_cash::text as "venueCash", result, rejections,
      halt_reason as "haltReason", retry_at as "retryAt"
    from trading.holding where symbol = ${symbol} for update`;

export const listHoldings = (db: Db) =>
  listRows(db)<{ readonly symbol: string; readonly held: string; readonly mark: string | null }>`
    select h.symbol, h.held::text as held, a.price::text as mark
    from trading.holding h join ${assetMarks} as a on a.symbol = h.symbol order by h.symbol`;

/** Members' positions in each asset, and how much of them is sold but not settled. */
export const listMemberPositions = (db: Db, symbol: string | null = null) =>
  listRows(db)<MemberPositions & { readonly symbol: string }>`
    select asset.symbol, coalesce(e.quantity, 0)::text as quantity, coalesce(e.members_cash, 0) as cash,
      (coalesce(sale.sold, 0) + coalesce(part.sold, 0))::text as "soldCoins",
      floor((coalesce(sale.cash, 0) + coalesce(part.cash, 0)) * 1000000)::bigint as "soldCash"
    from (select symbol from trading.holding union select symbol from trading.exposure) as asset
    left join trading.exposure e on e.symbol = asset.symbol
    left join lateral (
      select sum(s.sold) as sold, sum(s.dollars * (20000 - s.spread_bps) / 20000) as cash
      from trading.closing_sale s where s.symbol = asset.symbol and s.settled_at is null) as sale on true
    left join lateral (
      select sum(t.sold_coins) as sold, sum(t.sold_dollars * (20000 - a.spread_bps) / 20000) as cash
      from trading.trade t join ${assetMarks} as a on a.symbol = t.symbol
      where t.symbol = asset.symbol and t.sold_coins is not null and t.state = 'open') as part on true
    where ${symbol}::text is null or asset.symbol = ${symbol}::text
    order by 1`;

export async function getMemberPositions(tx: Tx, symbol: string): Promise<MemberPositions> {
  const [positions] = await listMemberPositions(tx, symbol);
  return positions ?? { quantity: '0', cash: 0n, soldCoins: '0', soldCash: 0n };
}

/** The transfer for a change in the house's result at the exchange, in micros; none for 0. */
export function venueResult(
  micros: bigint,
  about: Pick<Transfer, 'key' | 'marketAt' | 'reference' | 'note'>,
): Transfer[] {
  const [venue, own] = [{ class: 'venue' }, { class: 'venue_result' }] as const;
  if (micros === 0n) return [];
  return micros < 0n
    ? [{ ...about, from: own, to: venue, amountMicros: -micros, reason: 'venue_fee' }]
    : [{ ...about, from: venue, to: own, amountMicros: micros, reason: 'venue_rebate' }];
}

export const updateHolding = (tx: Tx, symbol: string, state: HoldingState) =>
  execute(tx)`
    update trading.holding set held = ${state.held}::numeric, members_cash = ${state.membersCash},
      venue_cash = ${state.venueCash}::numeric, result = ${state.result}
    where symbol = ${symbol}`;

/** The spread of an asset in force, in basis points. */
export const getSpread = (tx: Tx, symbol: string) =>
  getValue(tx)<number>`select a.spread_bps from ${assetMarks} as a where a.symbol = ${symbol}`;

/** Counts one more order rejected by the exchange. */
export const addRefusal = (tx: Tx, symbol: string) =>
  execute(tx)`update trading.holding set refused_total = refused_total + 1 where symbol = ${symbol}`;

/** Orders rejected by the exchange, by asset, since it was first traded there. */
export const listRefusals = (db: Db) =>
  listRows(db)<{ readonly symbol: string; readonly count: bigint }>`
    select symbol, refused_total as count from trading.holding order by symbol`;
