import { useMarketClock } from '../../api/market/use-market-clock.ts';
import { formatCountdown } from '../format/time.ts';
import classes from './session-state.module.css';

const words = { open: 'Open', closed: 'Closed', settling: 'Settling', ended: 'Replay ended' } as const;

/** "Open, closes in 3:24:51", by the market's clock. `named` says "Session open", where nothing else names it. */
export function SessionState({ named = false }: { named?: boolean }) {
  const { session, remainingMs } = useMarketClock();
  if (!session) return <span className={classes.state} />;
  const { state } = session;
  const word = words[state];
  return (
    <span className={classes.state}>
      <i className={classes.dot} data-open={state === 'open' || undefined} />
      {/* Only the state is announced: a countdown read aloud each second would be noise. */}
      <b role="status">{named && state !== 'ended' ? `Session ${word.toLowerCase()}` : word}</b>
      {remainingMs !== null && (
        <span className={classes.rest}>
          {state === 'open' ? 'closes' : 'opens'} in {formatCountdown(remainingMs)}
        </span>
      )}
    </span>
  );
}
