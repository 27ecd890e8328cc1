import type { Trade, TradeState } from '#contract/trading/trading.ts';
import type { Db } from '#server/db/connect.ts';
import { Refused } from '#server/refused.ts';
import { readIdCursor } from '../core/id-cursor.ts';
import type { SessionTerms } from '../session/session-sql.ts';
import { readView, showTrade } from './show-trade.ts';
import { listTradeRows, type StoredState, storedStates } from './trade-sql.ts';

export type TradeQuery = {
  readonly memberId: bigint;
  readonly state?: TradeState | undefined;
  readonly symbol?: string | undefined;
  /** The `next_cursor` of the page before. */
  readonly cursor?: string | undefined;
  readonly limit: number;
};

/** A member's trades, newest first; open ones with what they would come to now. */
export async function listTrades(db: Db, query: TradeQuery): Promise<{ items: Trade[]; next_cursor: string | null }> {
  const before = readCursor(query.cursor);
  const view = await readView(db);
  const states = statesToRead(query.state, view.session);
  const rows =
    states.length === 0
      ? []
      : await listTradeRows(db, {
          memberId: query.memberId,
          states,
          symbol: query.symbol,
          before,
          limit: query.limit + 1,
        });
  const items = rows.slice(0, query.limit).map((row) => showTrade(row, view));
  return { items, next_cursor: rows.length > query.limit ? (items.at(-1)?.id ?? null) : null };
}

/** Open trades are shown as `settling` while their session settles, so one of the two states has no trades. */
function statesToRead(asked: TradeState | undefined, session: SessionTerms | undefined): readonly StoredState[] {
  if (asked === undefined) return storedStates;
  const shownAsSettling = session?.state === 'settling';
  if (asked === 'settling') return shownAsSettling ? ['open'] : [];
  return asked === 'open' && shownAsSettling ? [] : [asked];
}

/** The cursor is the id of the last trade shown. */
function readCursor(cursor: string | undefined): bigint | undefined {
  const before = readIdCursor(cursor);
  if (before === 'refused') throw new Refused('validation', { field: 'cursor' });
  return before;
}
