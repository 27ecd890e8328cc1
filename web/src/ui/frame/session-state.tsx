import { useMarketClock } from '../../api/market/use-market-clock.ts';
import { t } from '../../api/texts.ts';
import { formatCountdown } from '../format/time.ts';
import classes from './session-state.module.css';

const words = {
  open: { short: t`Open`, named: t`Session open` },
  closed: { short: t`Closed`, named: t`Session closed` },
  settling: { short: t`Settling`, named: t`Session settling` },
  ended: { short: t`Replay ended`, named: t`Replay ended` },
} as const;

/** "Open, closes in 3:24:51", by the market clock. `named` says "Session open", where nothing else names it. */
export function SessionState({ named = false }: { named?: boolean }) {
  const { session, remainingMs } = useMarketClock();
  if (!session) return <span className={classes.state} />;
  const { state } = session;
  const isOpen = state === 'open';
  return (
    <span className={classes.state} data-open={isOpen || undefined}>
      <i />
      {/* Only the state is announced: a countdown read aloud every second would be noise. */}
      <b role="status">{words[state][named ? 'named' : 'short']}</b>
      {remainingMs !== null && (
        <span className={classes.left}>
          {isOpen ? t`closes in ${formatCountdown(remainingMs)}` : t`opens in ${formatCountdown(remainingMs)}`}
        </span>
      )}
    </span>
  );
}
