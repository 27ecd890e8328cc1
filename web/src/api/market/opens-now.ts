import { closingSaleMinutes } from '#contract/rules.ts';
import type { Session } from '#contract/trading/trading.ts';
import { appInfo } from '../app-info.ts';

export type SessionTimes = Pick<Session, 'state' | 'closes_at' | 'market_time'>;

/**
 * Whether a trade placed now opens in this session (docs/product.md, section 3). At an exchange nothing opens in its
 * last five minutes: at 17:24:59 UTC it does, at 17:25 it waits for the next session.
 */
export function opensNow({ state, closes_at: closesAt, market_time: now }: SessionTimes): boolean {
  const lastMinutes = appInfo.venue === 'ccxt' ? closingSaleMinutes : 0;
  return state === 'open' && Date.parse(now) < Date.parse(closesAt) - lastMinutes * 60_000;
}
