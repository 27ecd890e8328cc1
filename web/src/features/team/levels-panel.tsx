import { Text, VisuallyHidden } from '@mantine/core';
import { IconSitemap } from '@tabler/icons-react';
import type { TeamOverview } from '#contract/team.ts';
import { plural, t } from '../../api/texts.ts';
import { ShareBar } from '../../ui/charts/share-bar.tsx';
import { formatCount } from '../../ui/format/number.ts';
import { TablePanel } from '../../ui/layout/table-panel.tsx';
import { paths } from '../../ui/paths.ts';
import { column, rightColumn } from '../../ui/table/columns.tsx';
import { type Column, MobileRow } from '../../ui/table/data-table.tsx';
import type { ListQuery } from '../../ui/table/data-table-states.tsx';
import { Money } from '../../ui/text/money.tsx';
import { Quiet, TextLink } from '../../ui/text/text.tsx';
import { countOf, payingText, requirementText, settledOnly } from './team-labels.ts';

type Level = TeamOverview['levels'][number];

/** Each level with its members, volume and bonus; a level that does not pay states what it requires. */
export function LevelsPanel({ overview, query }: { overview: TeamOverview; query: ListQuery }) {
  const settled = settledOnly(overview);
  return (
    <TablePanel
      title={t`Levels`}
      controlBelow
      control={
        <Text span inherit c="var(--tw-text-2)" fz="xs" lh="1rem">
          {payingText(overview)}
        </Text>
      }
      columns={columnsOf(overview)}
      rows={overview.levels}
      rowKey={({ level }) => String(level)}
      query={query}
      dense
      isOff={({ pays }) => !pays}
      mobileRow={(level) => <RowOnMobile level={level} overview={overview} />}
      totals={[
        t`Total`,
        formatCount(overview.total_members),
        countOf(settled?.active_members),
        <Money key="volume" value={settled?.volume} decimals={2} />,
        null,
        null,
        <Money key="bonus" value={settled?.bonus} />,
      ]}
      empty={{ icon: IconSitemap, title: t`No levels` }}
    />
  );
}

function columnsOf(overview: TeamOverview): readonly Column<Level>[] {
  const settled = settledOnly(overview);
  const largest = largestOf(settled);
  return [
    column(t`Level`, ({ level }) => (
      <Text span inherit fw={500}>
        {level}
      </Text>
    )),
    rightColumn(t`Members`, (level) => <Members level={level} />),
    rightColumn(t`Active`, ({ active }) => (settled ? formatCount(active) : '–')),
    rightColumn(t`Volume`, ({ volume }) => <Money value={settled && volume} decimals={2} />),
    {
      key: 'bar',
      // The bar repeats the figure before it.
      label: <VisuallyHidden>{t`Volume as a bar`}</VisuallyHidden>,
      width: '20%',
      render: ({ volume, pays }) => <ShareBar share={settled && largest > 0 ? volume / largest : 0} isOff={!pays} />,
    },
    rightColumn(t`Share of fee`, ({ share }) => <Quiet>{share}%</Quiet>),
    rightColumn(t`Bonus`, (level) => <Bonus level={level} overview={settled} />),
  ];
}

/** The number of members, with a link to their list. */
function Members({ level: { level, members } }: { level: Level }) {
  if (members === 0) return 0;
  return (
    <TextLink
      to={`${paths.levelTeam}?level=${level}`}
      aria-label={t`${plural(members, { one: '# member', other: '# members' })} of level ${level}`}
    >
      {formatCount(members)}
    </TextLink>
  );
}

/** The bonus of 30 days, and what the level requires to pay more: it may have paid before it stopped. */
function Bonus({ level: { level, bonus, pays }, overview }: { level: Level; overview: TeamOverview | undefined }) {
  if (overview === undefined) return '–';
  if (pays) return <Money value={bonus} />;
  if (bonus === 0)
    return (
      <Text span inherit fz="xs" style={{ whiteSpace: 'nowrap' }}>
        {requirementText(level, overview)}
      </Text>
    );
  return (
    <>
      <Money value={bonus} />
      <small>{requirementText(level, overview)}</small>
    </>
  );
}

/** The largest volume of a level, whose bar is full. */
const largestOf = (overview: TeamOverview | undefined): number =>
  Math.max(0, ...(overview?.levels.map(({ volume }) => volume) ?? []));

function RowOnMobile({ level, overview }: { level: Level; overview: TeamOverview }) {
  const settled = settledOnly(overview);
  const largest = largestOf(settled);
  return (
    <MobileRow>
      <span>
        {t`Level ${level.level}`}
        <Money value={settled && level.volume} decimals={2} />
      </span>
      <ShareBar my={4} share={settled && largest > 0 ? level.volume / largest : 0} isOff={!level.pays} />
      <span>
        <small>
          {t`Members`} <Members level={level} />
          {settled && `, ${t`${formatCount(level.active)} active`}`} · {t`${level.share}% of the fee`}
        </small>
        <Text component="span" inherit ta="right">
          <Bonus level={level} overview={settled} />
        </Text>
      </span>
    </MobileRow>
  );
}
