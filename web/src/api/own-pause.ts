import { useQuery } from '@tanstack/react-query';
import { formatDateTime } from '../ui/format/time.ts';
import { useRealNow } from '../ui/use-real-now.ts';
import { meQuery } from './me-query.ts';
import { t } from './texts.ts';

/** That the member paused trading and deposits, and until when; null without a pause, or once it is over. */
export function useOwnPause(): string | null {
  const { data: me } = useQuery(meQuery);
  const now = useRealNow();
  const until = me?.limits.paused_until ?? null;
  if (until === null || Date.parse(until) <= now) return null;
  return t`You paused trading and deposits until ${formatDateTime(until)}.`;
}
