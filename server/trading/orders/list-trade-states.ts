import type { TradeState } from '#contract/trading/trading.ts';
import type { Db } from '#server/db/connect.ts';
import { findCurrentTerms } from '../session/session-sql.ts';
import { listStoredStates } from './trade-sql.ts';

/** What became of several trades, whoever's they are, as their members are shown it. */
export async function listTradeStates(db: Db, ids: readonly bigint[]): Promise<ReadonlyMap<bigint, TradeState>> {
  if (ids.length === 0) return new Map();
  const [session, rows] = await Promise.all([findCurrentTerms(db), listStoredStates(db, ids)]);
  const isSettling = session?.state === 'settling';
  return new Map(rows.map(({ id, state }) => [id, state === 'open' && isSettling ? 'settling' : state]));
}
