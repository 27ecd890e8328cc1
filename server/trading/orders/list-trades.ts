import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import type { TradableAsset, TradeState, trading } from '#contract/trading/trading.ts';
import type { Context } from '#server/context.ts';
import { cutPage, readIdCursor } from '#server/cursor.ts';
import type { Db } from '#server/db/connect.ts';
import { listAssets } from '#server/market/index.ts';
import { findCurrentTerms, type SessionTerms } from '../session/session-sql.ts';
import { readView, shownState, showTrade } from './show-trade.ts';
import { listStoredStates, listTradeRows, type StoredState, storedStates } from './trade-sql.ts';

type ListTrades = typeof trading.listTrades;
type TradeQuery = QueryOf<ListTrades> & { readonly memberId: bigint };

/** A member's trades, newest first; open ones with their current value. */
export async function listTrades(db: Db, query: TradeQuery): Promise<DataOf<ListTrades>> {
  const before = readIdCursor(query.cursor);
  const view = await readView(db);
  const states = statesToRead(query.state, view.session);
  const found =
    states.length === 0
      ? []
      : await listTradeRows(db, {
          memberId: query.memberId,
          states,
          symbol: query.symbol,
          isOpening: query.state === 'opening' ? true : query.state === 'queued' ? false : undefined,
          before,
          limit: query.limit + 1,
        });
  const { rows, nextCursor } = cutPage(found, query.limit, ({ id }) => id);
  return { items: rows.map((row) => showTrade(row, view)), next_cursor: nextCursor };
}

/** Open trades appear as `settling` while their session settles, so one of the two states is always empty. */
function statesToRead(requested: TradeState | undefined, session: SessionTerms | undefined): readonly StoredState[] {
  if (requested === undefined) return storedStates;
  const shownAsSettling = session?.state === 'settling';
  if (requested === 'opening') return ['queued'];
  if (requested === 'settling') return shownAsSettling ? ['open'] : [];
  return requested === 'open' && shownAsSettling ? [] : [requested];
}

/** States of trades of any members, as shown to those members. */
export async function listTradeStates(db: Db, ids: readonly bigint[]): Promise<ReadonlyMap<bigint, TradeState>> {
  if (ids.length === 0) return new Map();
  const [session, rows] = await Promise.all([findCurrentTerms(db), listStoredStates(db, ids)]);
  const isSettling = session?.state === 'settling';
  return new Map(rows.map(({ id, ...row }) => [id, shownState(row.state, row.isOpening, isSettling)]));
}

/** Assets that can be traded now: active, and listed by the venue. */
export async function listTradable(context: Context): Promise<TradableAsset[]> {
  const assets = await listAssets(context.db);
  return assets
    .filter((asset) => asset.active && asset.listed)
    .map(({ symbol, name, logo, percentage }) => ({ id: symbol, name, logo, percentage }));
}
