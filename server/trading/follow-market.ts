import type { Context } from '#server/context.ts';
import { findSkip } from './core/session-window.ts';
import { readMoment } from './market-moment.ts';
import { openSession } from './open-due-trades.ts';
import { playSession } from './play-session.ts';
import { updateFollowed } from './session-sql.ts';
import { closeAndSettle } from './settle-due-trades.ts';

/**
 * Does what a step of the market clock brought: opens the session, lets strategies decide, fills what waits for a tick,
 * looks at stops, closes the session and settles it. Called after each step. Killed anywhere, the next call goes on: how
 * far the market was followed is written behind what was done, and filling the same tick twice fills nothing.
 *
 * @param chunkSize trades, or members, worked on in one transaction
 * @returns where the clock may skip to: 10 market minutes before the next opening, when nothing is left to settle
 */
export async function followMarket(context: Context, chunkSize?: number): Promise<{ skipTo?: Date }> {
  const opened = await openSession(context, await readMoment(context, chunkSize));
  if (opened.session.state === 'open') await playSession(context, opened);
  const settled = await closeAndSettle(context, opened);
  await updateFollowed(context.db, settled.marketAt);
  const skipTo =
    settled.session.state === 'scheduled' && !settled.hasEnded && findSkip(settled.session, settled.marketAt);
  return skipTo ? { skipTo } : {};
}
