import { english } from '#contract/texts.ts';
import type { Session } from '#contract/trading/trading.ts';
import type { Context } from '#server/context.ts';
import { getFeed } from '#server/market/index.ts';
import { findSessionWindow } from '../core/session-window.ts';
import { isVenueDown } from '../execution/venue-state.ts';
import { findActiveHalt, listHaltedAssets } from '../halts/halt-trading.ts';
import { findCurrentSession, type SessionState } from './session-sql.ts';

const { t } = english;

const shownStates = {
  scheduled: 'closed',
  open: 'open',
  settling: 'settling',
  settled: 'closed',
} as const satisfies Record<SessionState, Session['state']>;

const DAY_MS = 86_400_000;

/** Why nothing opens. An overdue opening always has a reason. */
function findReason(
  { state, opensAt }: { readonly state: SessionState; readonly opensAt: Date },
  marketAt: Date,
  { isDown, isStale }: { readonly isDown: boolean; readonly isStale: boolean },
): string | null {
  if (state === 'settling')
    return marketAt.getTime() >= opensAt.getTime() + DAY_MS ? t`the last session is still settling` : null;
  if (isDown) return t`the exchange is not responding`;
  if (state === 'scheduled') return opensAt <= marketAt ? t`the server is catching up with the market` : null;
  return isStale ? t`no new prices arrive` : null;
}

/** The session that is open or settling, else the next one; `ended` when a recording is over and none follows. */
export async function getSession(context: Context): Promise<Session> {
  const { db, config } = context;
  const feed = await getFeed(context);
  const current = await findCurrentSession(db);
  const halt = await findActiveHalt(db);
  const isDown = await isVenueDown(context);
  const session = current ?? { ...findSessionWindow(new Date(feed.at)), state: 'scheduled' as const };
  // Live market time is real time, also while no worker moves it.
  const marketAt = feed.stale && feed.label === null ? context.now() : new Date(feed.at);
  const reason = feed.ended ? null : findReason(session, marketAt, { isDown, isStale: feed.stale });
  const mayTrade = config.venue === 'ccxt' && session.state === 'open' && !feed.ended && reason === null;
  // The exchange's own message is for operators only.
  const halted = mayTrade ? (await listHaltedAssets(db)).map(({ symbol }) => symbol) : [];
  const assets = halted.join(', ').toUpperCase();
  return {
    state: feed.ended && session.state === 'scheduled' ? 'ended' : shownStates[session.state],
    opens_at: session.opensAt.toISOString(),
    closes_at: session.closesAt.toISOString(),
    market_time: feed.at,
    halt: halt === undefined ? null : { reason: halt.reason, at: halt.haltedAt.toISOString() },
    waits_for: assets === '' ? reason : t`the exchange does not accept orders for ${assets}`,
    waiting_assets: assets === '' ? null : halted,
    feed,
  };
}
