import { sessionWindowUtc } from '#contract/rules.ts';
import { t } from '../../api/texts.ts';
import { formatTime } from '../format/time.ts';
import classes from './session-bar.module.css';

const DAY_MINUTES = 24 * 60;
const { openMinute, closeMinute } = sessionWindowUtc;
const percent = (minute: number) => `${((minute / DAY_MINUTES) * 100).toFixed(3)}%`;
const clock = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

/** The trading day: 24 hours UTC with the session window, the part that has passed, and a mark at now (market time). */
export function SessionBar({ now }: { now: Date }) {
  const minute = now.getUTCHours() * 60 + now.getUTCMinutes() + now.getUTCSeconds() / 60;
  const done = Math.min(Math.max(minute, openMinute), closeMinute) - openMinute;
  const label = t`Today's session, ${clock(openMinute)} to ${clock(closeMinute)} UTC; now ${formatTime(now)} UTC`;
  return (
    <div className={classes.day} role="img" aria-label={label}>
      <i className={classes.track} />
      <span className={classes.window} style={{ left: percent(openMinute), width: percent(closeMinute - openMinute) }}>
        <i style={{ width: `${((done / (closeMinute - openMinute)) * 100).toFixed(2)}%` }} />
      </span>
      <i className={classes.now} style={{ left: percent(minute) }} />
      <span className={classes.hour} data-edge="start" style={{ left: 0 }}>
        00:00
      </span>
      <span className={classes.hour} style={{ left: '25%' }}>
        06:00
      </span>
      <span className={classes.hour} style={{ left: percent(openMinute) }}>
        {clock(openMinute)}
      </span>
      <span className={classes.hour} style={{ left: percent(closeMinute) }}>
        {clock(closeMinute)}
      </span>
      <span className={classes.hour} data-edge="end" style={{ left: '100%' }}>
        {t`24:00 UTC`}
      </span>
    </div>
  );
}
