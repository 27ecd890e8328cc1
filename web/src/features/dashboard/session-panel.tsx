import { Button } from '@mantine/core';
import { IconChartCandle, IconClock, IconUser, IconWorld } from '@tabler/icons-react';
import { Link } from 'react-router';
import { tradingHours } from '#contract/rules.ts';
import type { Session } from '#contract/trading/trading.ts';
import { useMarketClock } from '../../api/market/use-market-clock.ts';
import { waitsWords } from '../../api/market/waits-labels.ts';
import { formatCountdown, formatLocalHours, localPlace } from '../../ui/format/time.ts';
import { Panel } from '../../ui/frame/panel.tsx';
import { SessionBar } from '../../ui/frame/session-bar.tsx';
import { tradeSearch } from '../../ui/paths.ts';
import { Figure } from '../../ui/text/figure.tsx';
import { StateBadge } from '../../ui/text/state-badge.tsx';
import classes from './session-panel.module.css';

const words: Record<Session['state'], { label: string; figure: string; next: string }> = {
  open: { label: 'Closes in', figure: '', next: 'Open trades then settle at the market price.' },
  closed: { label: 'Opens in', figure: '', next: 'A trade placed now waits for the opening.' },
  settling: { label: 'Session', figure: 'Settling', next: 'Each trade gets its result as soon as its price is known.' },
  ended: { label: 'Session', figure: 'Replay ended', next: 'The recording is over. No session follows.' },
};

/** Today's session: how long until it opens or closes, its place in the day, and its hours as given. */
export function SessionPanel({ className }: { className?: string | undefined }) {
  const { session, now, remainingMs } = useMarketClock();
  const said = session && words[session.state];
  return (
    <Panel
      title="Trading session"
      className={className}
      control={session && <StateBadge of="session" state={session.state} />}
    >
      <div className={classes.body}>
        <div className={classes.clock}>
          <Figure
            label={said?.label ?? 'Session'}
            size="xl"
            foot={
              <span className={classes.next} role={session?.waits_for ? 'status' : undefined}>
                {session?.waits_for ? waitsWords(session.waits_for) : said?.next}
              </span>
            }
          >
            {remainingMs === null ? (said?.figure ?? '–') : <span role="timer">{formatCountdown(remainingMs)}</span>}
          </Figure>
          {now && <SessionBar now={now} />}
        </div>
        <div className={classes.side}>
          <ul className={classes.hours}>
            <li>
              <IconClock size={20} stroke={1.5} aria-hidden />
              <b>{tradingHours.us}</b>
            </li>
            <li>
              <IconWorld size={20} stroke={1.5} aria-hidden />
              <b>{tradingHours.india}</b>
            </li>
            <li>
              <IconUser size={20} stroke={1.5} aria-hidden />
              {session && `${formatLocalHours(session.opens_at, session.closes_at)} your time (${localPlace()})`}
            </li>
          </ul>
          <Button
            size="lg"
            fullWidth
            className={classes.trade ?? ''}
            leftSection={<IconChartCandle size={16} stroke={1.5} aria-hidden />}
            renderRoot={(props) => <Link to={{ search: tradeSearch() }} {...props} />}
          >
            Trade
          </Button>
        </div>
      </div>
    </Panel>
  );
}
