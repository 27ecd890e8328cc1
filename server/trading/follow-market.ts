import type { Context } from '#server/context.ts';
import { findSkip } from './core/session-window.ts';
import { readMoment } from './market-moment.ts';
import { openDueTrades } from './open-due-trades.ts';
import { updateFollowed } from './session-sql.ts';
import { settleDueTrades } from './settle-due-trades.ts';

/**
 * Does what a step of the market clock brought: opens the session, fills what waits for a tick, closes the session and
 * settles it. Called after each step. Killed anywhere, the next call goes on: how far the market was followed is written
 * last, and filling the same tick twice fills nothing.
 *
 * @param chunkSize trades, or members, worked on in one transaction
 * @returns where the clock may skip to: 10 market minutes before the next opening, when nothing is left to settle
 */
export async function followMarket(context: Context, chunkSize?: number): Promise<{ skipTo?: Date }> {
  const opened = await openDueTrades(context, await readMoment(context, chunkSize));
  const settled = await settleDueTrades(context, opened);
  await updateFollowed(context.db, settled.marketAt);
  const skipTo =
    settled.session.state === 'scheduled' && !settled.hasEnded && findSkip(settled.session, settled.marketAt);
  return skipTo ? { skipTo } : {};
}
