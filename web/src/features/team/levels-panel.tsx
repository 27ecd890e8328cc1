import { Text, VisuallyHidden } from '@mantine/core';
import { IconSitemap } from '@tabler/icons-react';
import type { TeamOverview } from '#contract/team.ts';
import { plural, t } from '../../api/texts.ts';
import { formatCount } from '../../ui/format/number.ts';
import { TablePanel } from '../../ui/layout/table-panel.tsx';
import { paths } from '../../ui/paths.ts';
import { column, rightColumn } from '../../ui/table/columns.tsx';
import type { Column } from '../../ui/table/data-table.tsx';
import type { ListQuery } from '../../ui/table/data-table-states.tsx';
import { Money } from '../../ui/text/money.tsx';
import { TextLink } from '../../ui/text/text.tsx';
import classes from './levels-panel.module.css';
import { countOf, payingText, requirementText, settledOnly } from './team-labels.ts';

type Level = TeamOverview['levels'][number];

/** Each level with its members, volume and bonus; a level that does not pay states what it requires. */
export function LevelsPanel({ overview, query }: { overview: TeamOverview; query: ListQuery }) {
  const settled = settledOnly(overview);
  return (
    <TablePanel
      title={t`Levels`}
      className={classes.panel}
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
      empty={{ icon: <IconSitemap size={20} stroke={1.5} />, title: t`No levels` }}
    />
  );
}

function columnsOf(overview: TeamOverview): readonly Column<Level>[] {
  const settled = settledOnly(overview);
  const largest = Math.max(0, ...(settled?.levels.map(({ volume }) => volume) ?? []));
  return [
    column(t`Level`, ({ level }) => (
      <Text span inherit fw={500}>
        {level}
      </Text>
    )),
    rightColumn(t`Members`, (level) => <Members level={level} />),
    rightColumn(t`Active`, ({ active }) => (
      <span className={classes.number}>{settled ? formatCount(active) : '–'}</span>
    )),
    rightColumn(t`Volume`, ({ volume }) => <Money value={settled && volume} decimals={2} />),
    {
      key: 'bar',
      // The bar repeats the figure before it.
      label: <VisuallyHidden>{t`Volume as a bar`}</VisuallyHidden>,
      width: '20%',
      render: ({ volume, pays }) => <Bar part={settled ? volume : 0} whole={largest} isOff={!pays} />,
    },
    rightColumn(t`Share of fee`, ({ share }) => <span className={classes.share}>{share}%</span>),
    rightColumn(t`Bonus`, (level) => <Bonus level={level} overview={settled} />),
  ];
}

/** The number of members, with a link to their list. */
function Members({ level: { level, members } }: { level: Level }) {
  if (members === 0) return <span className={classes.number}>0</span>;
  return (
    <TextLink
      to={`${paths.levelTeam}?level=${level}`}
      aria-label={t`${plural(members, { one: '# member', other: '# members' })} of level ${level}`}
    >
      <span className={classes.number}>{formatCount(members)}</span>
    </TextLink>
  );
}

function Bar({ part, whole, isOff }: { part: number; whole: number; isOff: boolean }) {
  return (
    <div className={classes.bar} data-off={isOff || undefined} aria-hidden="true">
      <i style={{ width: `${whole === 0 ? 0 : (part / whole) * 100}%` }} />
    </div>
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

function RowOnMobile({ level, overview }: { level: Level; overview: TeamOverview }) {
  const settled = settledOnly(overview);
  const largest = Math.max(0, ...(settled?.levels.map(({ volume }) => volume) ?? []));
  return (
    <div className={classes.row}>
      <div>
        <Text span inherit fw={500}>
          {t`Level ${level.level}`}
        </Text>
        <Money value={settled && level.volume} decimals={2} />
      </div>
      <Bar part={settled ? level.volume : 0} whole={largest} isOff={!level.pays} />
      <div>
        <small>
          {t`Members`} <Members level={level} />
          {settled && `, ${t`${formatCount(level.active)} active`}`} · {t`${level.share}% of the fee`}
        </small>
        <span>
          <Bonus level={level} overview={settled} />
        </span>
      </div>
    </div>
  );
}
