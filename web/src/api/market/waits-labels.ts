import type { Session } from '#contract/trading/trading.ts';
import { t } from '../texts.ts';

/**
 * Why no trade opens, as a sentence; null when none waits. `Opening waits: the last session is still settling.`, and in
 * an open session, in which trades also close, `Trades wait: the exchange is not responding.`
 *
 * @param symbols only what one of these assets waits for
 */
export function waitReason(
  session: Pick<Session, 'state' | 'waits_for' | 'waiting_assets'> | undefined,
  symbols?: readonly string[],
): string | null {
  if (!session?.waits_for) return null;
  const waiting = session.waiting_assets;
  if (symbols && waiting && !symbols.some((symbol) => waiting.includes(symbol))) return null;
  const why = session.waits_for.replace(/\.$/, '');
  return session.state === 'open' ? t`Trades wait: ${why}.` : t`Opening waits: ${why}.`;
}
