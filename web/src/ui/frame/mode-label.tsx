import { IconFlask, IconPlayerPlay, IconWaveSine } from '@tabler/icons-react';
import type { Feed } from '#contract/market.ts';
import { appInfo } from '../../api/app-info.ts';
import { formatMarketTime } from '../format/time.ts';
import classes from './mode-label.module.css';

type ModeLabelProps = {
  feed: Feed;
  /** The market's time now; `feed.at` when nothing moves it. */
  at?: Date | string;
};

const feedIcons = { simulated: IconWaveSine, replay: IconPlayerPlay } as const;

/** "Simulated market · 2026-03-04 14:05 UTC · 60×", in amber; nothing when prices are live. */
export function ModeLabel(props: ModeLabelProps) {
  if (props.feed.label === null) return null;
  return (
    <span className={classes.label}>
      <Words {...props} />
    </span>
  );
}

/** The same as a strip across the page, where the header has no room for the label. */
export function ModeStrip(props: ModeLabelProps) {
  if (props.feed.label === null) return null;
  return (
    <div className={classes.strip}>
      <Words {...props} />
    </div>
  );
}

function Words({ feed, at }: ModeLabelProps) {
  const Icon = feed.kind === 'simulated' || feed.kind === 'replay' ? feedIcons[feed.kind] : IconPlayerPlay;
  return (
    <>
      <Icon size={14} stroke={1.5} aria-hidden />
      <span>
        {feed.label} · <span className={classes.plain}>{formatMarketTime(at ?? feed.at)}</span>
        {feed.ended ? ' · ended' : ` · ${feed.speed}×`}
      </span>
    </>
  );
}

/** "Paper mode" or "Test money": the mode of the whole product, on both login pages; nothing in live mode. */
export function ProductMode() {
  if (appInfo.mode === 'live') return null;
  return <ModeNote>{appInfo.mode === 'paper' ? 'Paper mode' : 'Test money'}</ModeNote>;
}

/** What is only played, wherever it stands: the mode is never hidden (docs/product.md, section 1). */
export const ModeNote = ({ children }: { children: string }) => (
  <span className={classes.label}>
    <IconFlask size={14} stroke={1.5} aria-hidden />
    {children}
  </span>
);
