import type { TeamOverview } from '#contract/team.ts';
import { t } from '../../api/texts.ts';
import { formatPercent } from '../../ui/format/number.ts';
import { Figure, FigureStrip } from '../../ui/text/figure.tsx';
import { Money } from '../../ui/text/money.tsx';
import { countOf, settledOnly } from './team-labels.ts';

/** The team in five figures; those of a session are unknown before the first is settled. */
export function TeamFigures({ overview }: { overview: TeamOverview | undefined }) {
  const settled = settledOnly(overview);
  const peopled = overview?.levels.filter(({ members }) => members > 0).length;
  return (
    <FigureStrip>
      <Figure label={t`Members`} foot={overview && t`In ${peopled ?? 0} of ${overview.levels.length} levels`}>
        {countOf(overview?.total_members)}
      </Figure>
      <Figure label={t`Active`} foot={shareWords(settled?.active_members, overview?.total_members, t`settled a trade`)}>
        {countOf(settled?.active_members)}
      </Figure>
      <Figure label={t`Team volume`} foot={t`Amount traded`}>
        <Money value={settled?.volume} decimals={2} />
      </Figure>
      <Figure label={t`Trade fees they paid`} foot={shareWords(settled?.trade_fees, settled?.volume, t`of the volume`)}>
        <Money value={settled?.trade_fees} />
      </Figure>
      <Figure label={t`Your bonus`} foot={t`Referral, level and team profit`}>
        <Money value={settled?.bonus} />
      </Figure>
    </FigureStrip>
  );
}

/** `shareWords(96, 193, 'settled a trade')` is "49.74% settled a trade"; of nothing there is no share. */
const shareWords = (part: number | undefined, whole: number | undefined, words: string): string =>
  part === undefined || !whole ? '\u00a0' : t`${formatPercent((part / whole) * 100)} ${words}`;
