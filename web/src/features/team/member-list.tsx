import { Text } from '@mantine/core';
import { IconArrowsSort } from '@tabler/icons-react';
import { type ReactNode, useEffect, useEffectEvent } from 'react';
import type { TeamMember, TeamSort } from '#contract/team.ts';
import { CallError } from '../../api/call.ts';
import { formatDate } from '../../ui/format/time.ts';
import { Panel } from '../../ui/frame/panel.tsx';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import type { Empty, ListQuery } from '../../ui/table/data-table-states.tsx';
import { FilterMenu } from '../../ui/table/filter-menu.tsx';
import { CodeText } from '../../ui/text/code-text.tsx';
import { Money } from '../../ui/text/money.tsx';
import { StateBadge } from '../../ui/text/state-badge.tsx';
import { useNarrow } from '../../ui/use-narrow.ts';
import classes from './member-list.module.css';
import { SearchField } from './search-field.tsx';
import { countOf } from './team-labels.ts';
import type { ListFilter } from './use-member-filter.ts';

type Page = { items: TeamMember[]; next_cursor: string | null; total?: number | undefined };

type MemberListProps = {
  title: string;
  query: ListQuery & { data: Page | undefined };
  filter: ListFilter;
  /** False before the first settled session: volume is not known then, which is not the same as none. */
  hasFigures: boolean;
  empty: Empty;
};

const orders = [
  { value: 'name', label: 'By name' },
  { value: 'volume', label: 'Largest volume' },
  { value: 'team', label: 'Largest team' },
] as const;

/** Members of the team, searched, ordered and paged; search and order stand in the address. */
export function MemberList({ title, query, filter, hasFigures, empty }: MemberListProps) {
  const narrow = useNarrow();
  const { search, sort, change } = filter;
  const tooLong = query.error instanceof CallError && query.error.code === 'team_list_too_long';
  // The toast of the call says why; the list goes back to the order that any length has.
  const goBack = useEffectEvent(() => change({ sort: undefined }));
  useEffect(() => {
    if (tooLong) goBack();
  }, [tooLong]);

  return (
    <Panel
      title={title}
      rule
      padded={false}
      className={classes.list}
      foot="Mobile and mail of your team stay masked."
      control={
        <>
          <SearchField value={search} onSearch={(next) => change({ search: next })} />
          {narrow && (
            <FilterMenu
              label="Order"
              allLabel="Newest first"
              icon={<IconArrowsSort size={14} stroke={1.5} />}
              options={orders}
              value={orders.find(({ value }) => value === sort)?.value}
              onChange={(next) => change({ sort: next })}
            />
          )}
        </>
      }
    >
      <DataTable
        label={title}
        columns={columnsOf(hasFigures, sort, (next) => change({ sort: next === 'joined' ? undefined : next }))}
        rows={query.data?.items}
        rowKey={(member) => member.id}
        query={query}
        minHeight={360}
        mobileRow={(member) => <RowOnMobile member={member} hasFigures={hasFigures} />}
        paging={filter.paging.pagingOf(query.data)}
        filtered={
          search === undefined
            ? undefined
            : {
                title: `Nobody here matches “${search}”`,
                text: 'A name is found by the beginning of one of its words, a Registered Id by its beginning.',
                onClear: () => change({ search: undefined }),
              }
        }
        empty={empty}
      />
    </Panel>
  );
}

const columnsOf = (
  hasFigures: boolean,
  sort: TeamSort,
  onSort: (sort: TeamSort) => void,
): readonly Column<TeamMember>[] => {
  const by = (key: TeamSort, direction: 'ascending' | 'descending') => ({
    sorted: sort === key ? direction : ('none' as const),
    onSort: () => onSort(key),
  });
  return [
    {
      key: 'member',
      label: 'Member',
      ...by('name', 'ascending'),
      render: (member) => (
        <>
          <Text span inherit fw={500} style={{ overflowWrap: 'anywhere' }}>
            {member.name}
          </Text>
          <small>
            <CodeText>{member.referral_code}</CodeText>
          </small>
        </>
      ),
    },
    {
      key: 'contact',
      label: 'Mobile and mail',
      render: (member) => (
        <>
          <Text span inherit c="var(--tw-text-2)" style={{ whiteSpace: 'nowrap' }}>
            {member.mobile}
          </Text>
          <small>{member.email}</small>
        </>
      ),
    },
    {
      key: 'joined',
      label: 'Joined, UTC',
      ...by('joined', 'descending'),
      render: (member) => <span className={classes.when}>{formatDate(member.joined_at)}</span>,
    },
    {
      key: 'volume',
      label: 'Own volume',
      align: 'right',
      ...by('volume', 'descending'),
      render: (member) => <Money value={hasFigures ? member.volume : null} decimals={2} />,
    },
    {
      key: 'team',
      label: 'Team',
      align: 'right',
      ...by('team', 'descending'),
      render: (member) => <Team {...member} />,
    },
    { key: 'state', label: 'State', render: (member) => <Activity active={member.active} /> },
  ];
};

const Activity = ({ active }: { active: boolean }) => <StateBadge of="member" state={active ? 'active' : 'inactive'} />;

function Team({ team_size, directs }: Pick<TeamMember, 'team_size' | 'directs'>) {
  if (team_size === 0) return '–';
  return (
    <span className={classes.number}>
      {team_size.toLocaleString('en-US')}
      <small>{directs.toLocaleString('en-US')} direct</small>
    </span>
  );
}

function RowOnMobile({ member, hasFigures }: { member: TeamMember; hasFigures: boolean }): ReactNode {
  return (
    <div className={classes.row}>
      <div>
        <span>
          <Text span inherit fw={500} style={{ overflowWrap: 'anywhere' }}>
            {member.name}
          </Text>
          <small>
            <CodeText>{member.referral_code}</CodeText>
          </small>
        </span>
        <span className={classes.figures}>
          <Money value={hasFigures ? member.volume : null} decimals={2} />
          <Activity active={member.active} />
        </span>
      </div>
      <small>
        Joined {formatDate(member.joined_at)} ·{' '}
        {member.team_size === 0 ? 'nobody below' : `${countOf(member.team_size, 'member')} below`}
      </small>
      <small>
        {member.mobile} · {member.email}
      </small>
    </div>
  );
}
