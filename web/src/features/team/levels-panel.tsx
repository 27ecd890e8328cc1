import { Text, VisuallyHidden } from '@mantine/core';
import { IconSitemap } from '@tabler/icons-react';
import type { TeamOverview } from '#contract/team.ts';
import { Panel } from '../../ui/frame/panel.tsx';
import { paths } from '../../ui/paths.ts';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import type { ListQuery } from '../../ui/table/data-table-states.tsx';
import { Money } from '../../ui/text/money.tsx';
import { TextLink } from '../../ui/text/text-link.tsx';
import classes from './levels-panel.module.css';
import { settledOnly } from './settled-only.ts';
import { countOf, lackWords, payingWords } from './team-labels.ts';

type Level = TeamOverview['levels'][number];

/** Each level with its members, what they traded and what it brought; what does not pay says what is lacking. */
export function LevelsPanel({ overview, query }: { overview: TeamOverview; query: ListQuery }) {
  const settled = settledOnly(overview);
  return (
    <Panel
      title="Levels"
      rule
      padded={false}
      className={classes.panel}
      control={
        <Text span inherit c="var(--tw-text-2)" fz="xs" lh="16px">
          {payingWords(overview)}
        </Text>
      }
    >
      <DataTable
        label="Levels"
        columns={columnsOf(overview)}
        rows={overview.levels}
        rowKey={({ level }) => String(level)}
        query={query}
        dense
        isOff={({ pays }) => !pays}
        mobileRow={(level) => <RowOnMobile level={level} overview={overview} />}
        sums={[
          'All',
          overview.total_members.toLocaleString('en-US'),
          settled?.active_members.toLocaleString('en-US') ?? '–',
          <Money key="volume" value={settled?.volume} decimals={2} />,
          null,
          null,
          <Money key="bonus" value={settled?.bonus} />,
        ]}
        empty={{ icon: <IconSitemap size={20} stroke={1.5} />, title: 'No levels' }}
      />
    </Panel>
  );
}

function columnsOf(overview: TeamOverview): readonly Column<Level>[] {
  const settled = settledOnly(overview);
  const largest = Math.max(0, ...(settled?.levels.map(({ volume }) => volume) ?? []));
  return [
    {
      key: 'level',
      label: 'Level',
      render: ({ level }) => (
        <Text span inherit fw={500}>
          {level}
        </Text>
      ),
    },
    { key: 'members', label: 'Members', align: 'right', render: (level) => <Members level={level} /> },
    {
      key: 'active',
      label: 'Active',
      align: 'right',
      render: ({ active }) => <span className={classes.number}>{settled ? active.toLocaleString('en-US') : '–'}</span>,
    },
    {
      key: 'volume',
      label: 'Volume',
      align: 'right',
      render: ({ volume }) => <Money value={settled && volume} decimals={2} />,
    },
    {
      key: 'bar',
      // The bar says in another way what stands before it.
      label: <VisuallyHidden>Volume as a bar</VisuallyHidden>,
      width: '20%',
      render: ({ volume, pays }) => <Bar part={settled ? volume : 0} whole={largest} isOff={!pays} />,
    },
    {
      key: 'share',
      label: 'Share of fee',
      align: 'right',
      render: ({ share }) => <span className={classes.share}>{share}%</span>,
    },
    {
      key: 'bonus',
      label: 'Bonus',
      align: 'right',
      render: (level) => <Bonus level={level} overview={settled} />,
    },
  ];
}

/** The level's members, where there are any as the way to their list. */
function Members({ level: { level, members } }: { level: Level }) {
  if (members === 0) return <span className={classes.number}>0</span>;
  return (
    <TextLink to={`${paths.levelTeam}?level=${level}`} aria-label={`${countOf(members, 'member')} of level ${level}`}>
      <span className={classes.number}>{members.toLocaleString('en-US')}</span>
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

/** What the level brought in 30 days, and what it lacks to bring more: it may have paid before it stopped to. */
function Bonus({ level: { level, bonus, pays }, overview }: { level: Level; overview: TeamOverview | undefined }) {
  if (overview === undefined) return '–';
  if (pays) return <Money value={bonus} />;
  if (bonus === 0)
    return (
      <Text span inherit fz="xs" style={{ whiteSpace: 'nowrap' }}>
        {lackWords(level, overview)}
      </Text>
    );
  return (
    <>
      <Money value={bonus} />
      <small>now {lackWords(level, overview)}</small>
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
          Level {level.level}
        </Text>
        <Money value={settled && level.volume} decimals={2} />
      </div>
      <Bar part={settled ? level.volume : 0} whole={largest} isOff={!level.pays} />
      <div>
        <small>
          <Members level={level} /> {level.members === 1 ? 'member' : 'members'}
          {settled && `, ${level.active.toLocaleString('en-US')} active`} · {level.share}% of the fee
        </small>
        <span>
          <Bonus level={level} overview={settled} />
        </span>
      </div>
    </div>
  );
}
