import { VisuallyHidden } from '@mantine/core';
import { IconClock } from '@tabler/icons-react';
import { tradingHours } from '#contract/rules.ts';
import { useMarketClock } from '../../api/market/use-market-clock.ts';
import { waitsWords } from '../../api/market/waits-labels.ts';
import { formatLocalHours, localPlace } from '../../ui/format/time.ts';
import { ModeLabel } from '../../ui/frame/mode-label.tsx';
import { SessionState } from '../../ui/frame/session-state.tsx';
import classes from './session-line.module.css';

/** The trade banner: the two sentences of the hours as given, the viewer's own, and how the session stands now. */
export function SessionLine() {
  const { session } = useMarketClock();
  return (
    <div className={classes.line}>
      <IconClock size={20} stroke={1.5} aria-hidden className={classes.icon} />
      <div className={classes.hours}>
        <b>{tradingHours.us}</b>
        <b>{tradingHours.india}</b>
        {session && (
          <p>
            {formatLocalHours(session.opens_at, session.closes_at)} your time ({localPlace()})
          </p>
        )}
        {session?.waits_for && <p role="status">{waitsWords(session.waits_for)}</p>}
      </div>
      <SessionState />
    </div>
  );
}

/**
 * The mode label with the market time running, for the title row. The title is the dialog's name, and a name that
 * changes each second cannot be listened to: so only the mode is part of it.
 */
export function TitleMode() {
  const { session, now } = useMarketClock();
  if (!session?.feed.label) return null;
  return (
    <>
      <VisuallyHidden>, {session.feed.label}</VisuallyHidden>
      <span aria-hidden="true">
        <ModeLabel feed={session.feed} at={now} />
      </span>
    </>
  );
}
