import type { TeamOverview } from '#contract/team.ts';
import { formatPercent } from '../../ui/format/percent.ts';
import { Figure, FigureStrip } from '../../ui/text/figure.tsx';
import { Money } from '../../ui/text/money.tsx';
import { settledOnly } from './settled-only.ts';

/** The team in five figures; those of a session are unknown before the first is settled. */
export function TeamFigures({ overview }: { overview: TeamOverview | undefined }) {
  const settled = settledOnly(overview);
  const peopled = overview?.levels.filter(({ members }) => members > 0).length;
  return (
    <FigureStrip>
      <Figure label="Members" foot={overview && `in ${peopled} of ${overview.levels.length} levels`}>
        {overview?.total_members.toLocaleString('en-US') ?? '–'}
      </Figure>
      <Figure label="Active" foot={shareWords(settled?.active_members, overview?.total_members, 'settled a trade')}>
        {settled?.active_members.toLocaleString('en-US') ?? '–'}
      </Figure>
      <Figure label="Team volume" foot="amount of their trades">
        <Money value={settled?.volume} decimals={2} />
      </Figure>
      <Figure label="Trade fees they paid" foot={shareWords(settled?.trade_fees, settled?.volume, 'of the volume')}>
        <Money value={settled?.trade_fees} />
      </Figure>
      <Figure label="Bonus to you" foot="referral, level and team profit">
        <Money value={settled?.bonus} />
      </Figure>
    </FigureStrip>
  );
}

/** `shareWords(96, 193, 'settled a trade')` is "49.74% settled a trade"; of nothing there is no share. */
const shareWords = (part: number | undefined, whole: number | undefined, words: string): string =>
  part === undefined || !whole ? '\u00a0' : `${formatPercent((part / whole) * 100)} ${words}`;
