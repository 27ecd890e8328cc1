import type { Session } from '#contract/trading/trading.ts';
import { t } from '../texts.ts';

/**
 * Why nothing opens, as a sentence; null when nothing waits. `Opening waits: the last session is still settling.`, and in an open
 * session, in which trades close, too, `Trades wait: the exchange is not responding.`
 */
export function waitsWords(session: Pick<Session, 'state' | 'waits_for'> | undefined): string | null {
  if (!session?.waits_for) return null;
  const why = session.waits_for.replace(/\.$/, '');
  return session.state === 'open' ? t`Trades wait: ${why}.` : t`Opening waits: ${why}.`;
}
