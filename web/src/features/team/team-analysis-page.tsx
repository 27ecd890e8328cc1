import { Box, Text } from '@mantine/core';
import { IconSitemap } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { TeamOverview } from '#contract/team.ts';
import { type CsvCell, csvText, saveCsv } from '../../api/csv.ts';
import { plural, t } from '../../api/texts.ts';
import { ShareBar } from '../../ui/charts/share-bar.tsx';
import { formatPercent } from '../../ui/format/number.ts';
import { PageHead } from '../../ui/layout/page-head.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { usdHead } from '../../ui/table/columns.tsx';
import { CsvMenu } from '../../ui/table/csv-export.tsx';
import { FaultPanel } from '../../ui/table/data-table-states.tsx';
import { ListState } from '../../ui/table/list-state.tsx';
import { Figure, FigureStrip } from '../../ui/text/figure.tsx';
import { Money, Percent } from '../../ui/text/money.tsx';
import { Note } from '../../ui/text/paragraph.tsx';
import { CodeText } from '../../ui/text/text.tsx';
import { GrowthPanel } from './growth-panel.tsx';
import { LevelsPanel } from './levels-panel.tsx';
import { overviewQuery } from './queries.ts';
import classes from './team-analysis-page.module.css';
import { TeamFacts } from './team-facts.tsx';
import { countOf, settledOnly } from './team-labels.ts';
import { TeamTabs } from './team-tabs.tsx';
import { TreePanel } from './tree/tree-panel.tsx';

/** The team in figures, by level and by leg, as a tree, and its growth. */
export function TeamAnalysisPage() {
  const query = useQuery(overviewQuery);
  const overview = query.data;
  return (
    <>
      <PageHead title={t`Team Analysis`} facts={<TeamFacts overview={overview} />}>
        <CsvMenu files={overview && filesOf(overview)} />
      </PageHead>
      <TeamTabs />
      <FaultPanel query={query} />
      {!(query.isError && !overview) && <TeamFigures overview={overview} />}
      {overview && (
        <div className={classes.grid}>
          <LevelsPanel overview={overview} query={query} />
          <LegsPanel overview={overview} />
          <TreePanel overview={overview} />
          <GrowthPanel overview={overview} />
        </div>
      )}
    </>
  );
}

/** The team in five figures; those of a session are unknown before the first is settled. */
function TeamFigures({ overview }: { overview: TeamOverview | undefined }) {
  const settled = settledOnly(overview);
  const nonEmpty = overview?.levels.filter(({ members }) => members > 0).length;
  return (
    <FigureStrip>
      <Figure label={t`Members`} foot={overview && t`In ${nonEmpty ?? 0} of ${overview.levels.length} levels`}>
        {countOf(overview?.total_members)}
      </Figure>
      <Figure label={t`Active`} foot={shareText(settled?.active_members, overview?.total_members, t`settled a trade`)}>
        {countOf(settled?.active_members)}
      </Figure>
      <Figure label={t`Team volume`} foot={t`Amount traded`}>
        <Money value={settled?.volume} decimals={2} />
      </Figure>
      <Figure label={t`Trade fees they paid`} foot={shareText(settled?.trade_fees, settled?.volume, t`of the volume`)}>
        <Money value={settled?.trade_fees} />
      </Figure>
      <Figure label={t`Your bonus`} foot={t`Referral, level and team profit`}>
        <Money value={settled?.bonus} />
      </Figure>
    </FigureStrip>
  );
}

/** `shareText(96, 193, 'settled a trade')` is "49.74% settled a trade"; empty for a total of zero. */
const shareText = (part: number | undefined, whole: number | undefined, words: string): string =>
  part === undefined || !whole ? '\u00a0' : t`${formatPercent((part / whole) * 100)} ${words}`;

/** The largest legs: the share of each direct referral in the team's volume. */
function LegsPanel({ overview: { as_of, legs, legs_total, leg_cap, volume } }: { overview: TeamOverview }) {
  const more = legs_total - legs.length;
  return (
    <Panel title={t`Legs`} control={<Text span inherit c="var(--tw-text-2)" fz="xs">{t`Share of volume`}</Text>}>
      {legs.length === 0 ? (
        <ListState
          icon={IconSitemap}
          title={t`No legs yet`}
        >{t`Each direct referral starts a leg: the trades of the referral and of everybody below.`}</ListState>
      ) : (
        <>
          <ul className={classes.legs}>
            {legs.map((leg) => {
              const share = as_of === null ? null : volume === 0 ? 0 : (leg.volume / volume) * 100;
              return (
                <li key={leg.id}>
                  <div className={classes.words}>
                    <div>
                      {leg.name}
                      <small>
                        {' '}
                        <CodeText>{leg.referral_code}</CodeText>
                      </small>
                    </div>
                    <Text span inherit c="dimmed">
                      <Money value={as_of === null ? null : leg.volume} decimals={2} />
                    </Text>
                    <b>
                      <Percent value={share} />
                    </b>
                  </div>
                  <ShareBar share={(share ?? 0) / 100} mt={7}>
                    <Box pos="absolute" top={-3} left={`${leg_cap}%`} w={1} h={12} bg="var(--tw-text-3)" />
                  </ShareBar>
                </li>
              );
            })}
          </ul>
          <Note mt={10}>
            {more > 0 && `${plural(more, { one: '# smaller leg not shown.', other: '# smaller legs not shown.' })} `}
            {t`The mark at ${leg_cap}% is the most that one leg counts for of the monthly volume of a rank.`}
          </Note>
        </>
      )}
    </Panel>
  );
}

/** The tables of the page as files. */
const filesOf = (overview: TeamOverview) =>
  [levelsCsv(overview), legsCsv(overview), growthCsv(overview)].map(({ label, fileName, head, rows }) => ({
    label,
    save: () => saveCsv(fileName, csvText(head, rows)),
  }));

type CsvFile = { label: string; fileName: string; head: readonly string[]; rows: readonly (readonly CsvCell[])[] };

/** Session figures are empty cells before the first session is settled. */
export const levelsCsv = ({ as_of, levels }: TeamOverview): CsvFile => ({
  label: t`Levels`,
  fileName: 'team-levels.csv',
  head: [
    t`Level`,
    t`Members`,
    t`Active`,
    usdHead(t`Volume`),
    usdHead(t`Trade fees`),
    t`Share of fee, %`,
    t`Pays`,
    usdHead(t`Bonus`),
  ],
  rows: levels.map((level) => [
    level.level,
    level.members,
    ...(as_of === null ? [null, null, null] : [level.active, level.volume, level.trade_fees]),
    level.share,
    level.pays ? t`yes` : t`no`,
    as_of === null ? null : level.bonus,
  ]),
});

export const legsCsv = ({ as_of, legs }: TeamOverview): CsvFile => ({
  label: t`Largest legs`,
  fileName: 'team-legs.csv',
  head: [t`Direct referral`, t`Registered Id`, usdHead(t`Volume of the leg`)],
  rows: legs.map((leg) => [leg.name, leg.referral_code, as_of === null ? null : leg.volume]),
});

export const growthCsv = ({ growth }: TeamOverview): CsvFile => ({
  label: t`Growth by week`,
  fileName: 'team-growth.csv',
  head: [t`Week of`, t`Members`, t`Active`],
  rows: growth.map(({ week, members, active }) => [week, members, active]),
});
