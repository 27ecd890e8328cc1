import type { Context } from '#server/context.ts';
import { haltings } from '../core/session-events.ts';
import { findSkip } from '../core/session-window.ts';
import { readMoment } from './market-moment.ts';
import { cancelHalted, openSession } from './open-due-trades.ts';
import { playSession } from './play-session.ts';
import { updateFollowed } from './session-sql.ts';
import { closeAndSettle } from './settle-due-trades.ts';

export type Following = {
  /** Trades, or members, worked on in one transaction. */
  readonly chunkSize?: number | undefined;
  /** Asked when a session would open: false lets it wait, for what rests on the sessions before it is not done yet. */
  readonly mayOpen?: () => Promise<boolean>;
};

const always = () => Promise.resolve(true);

/**
 * Does what a step of the market clock brought: opens the session, lets strategies decide, fills what waits for a tick,
 * looks at stops, closes the session and settles it. Called after each step. Killed anywhere, the next call goes on: how
 * far the market was followed is written behind what was done, and filling the same tick twice fills nothing.
 *
 * @returns where the clock may skip to: 10 market minutes before the next opening, when nothing is left to settle
 */
export async function followMarket(
  context: Context,
  { chunkSize, mayOpen = always }: Following = {},
): Promise<{ skipTo?: Date }> {
  const opened = await openSession(context, await readMoment(context, chunkSize), mayOpen);
  if (opened.session.state === 'open') await playSession(context, opened);
  else for (const halting of haltings(opened)) await cancelHalted(context, opened, halting);
  const settled = await closeAndSettle(context, opened);
  await updateFollowed(context.db, settled.marketAt);
  const skipTo =
    settled.session.state === 'scheduled' && !settled.hasEnded && findSkip(settled.session, settled.marketAt);
  return skipTo ? { skipTo } : {};
}
