import { IconFlask, IconPlayerPlay, IconWaveSine } from '@tabler/icons-react';
import type { Feed } from '#contract/market.ts';
import { appInfo } from '../../api/app-info.ts';
import { t, translate } from '../../api/texts.ts';
import { formatMarketTime, formatTime } from '../format/time.ts';
import classes from './mode-label.module.css';

type ModeLabelProps = {
  feed: Feed;
  /** The current market time; `feed.at` when no clock is running. */
  at?: Date | string;
  /** In two short lines, for the header of a narrow screen. */
  compact?: boolean;
};

/** "Simulated market · 2026-03-04 14:05 UTC · 60×", in amber. Where prices are live, the mode of the product. */
export function ModeLabel({ feed, at = feed.at, compact = false }: ModeLabelProps) {
  if (feed.label === null) return <ProductMode compact={compact} />;
  const Icon = feed.kind === 'simulated' ? IconWaveSine : IconPlayerPlay;
  const pace = feed.ended ? t`ended` : `${feed.speed}×`;
  return (
    <span className={classes.label} data-compact={compact || undefined}>
      {!compact && <Icon size={14} stroke={1.5} aria-hidden />}
      {compact ? (
        <>
          <span>{translate(feed.label)}</span>
          <span>{[t`${formatTime(at)} UTC`, pace].join(' ·\u00a0')}</span>
        </>
      ) : (
        <span>
          {translate(feed.label)} · <span className={classes.plain}>{formatMarketTime(at)}</span> · {pace}
        </span>
      )}
    </span>
  );
}

/** "Paper mode" or "Test money": the mode of the whole product, as on both login pages; nothing where money is real. */
export function ProductMode({ compact = false }) {
  if (appInfo.money === 'real') return null;
  return <ModeNote compact={compact}>{appInfo.mode === 'paper' ? t`Paper mode` : t`Test money`}</ModeNote>;
}

/** Marks what is simulated, everywhere it appears: the mode is never hidden (docs/product.md, section 1). */
export const ModeNote = ({ children, compact = false }: { children: string; compact?: boolean }) => (
  <span className={classes.label} data-compact={compact || undefined}>
    {!compact && <IconFlask size={14} stroke={1.5} aria-hidden />}
    {children}
  </span>
);
