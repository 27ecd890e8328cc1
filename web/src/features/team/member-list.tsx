import { Text } from '@mantine/core';
import { IconArrowsSort } from '@tabler/icons-react';
import { useEffect, useEffectEvent } from 'react';
import type { TeamMember, TeamSort } from '#contract/team.ts';
import { CallError } from '../../api/call.ts';
import { t } from '../../api/texts.ts';
import { formatCount } from '../../ui/format/number.ts';
import { formatDate } from '../../ui/format/time.ts';
import { TablePanel } from '../../ui/layout/table-panel.tsx';
import { StateBadge } from '../../ui/state/state-badge.tsx';
import { column, fileColumn, rightColumn, usdHead } from '../../ui/table/columns.tsx';
import { type Column, MobileRow } from '../../ui/table/data-table.tsx';
import type { Empty, ListQuery } from '../../ui/table/data-table-states.tsx';
import { FilterMenu } from '../../ui/table/filter-menu.tsx';
import { Money } from '../../ui/text/money.tsx';
import { CodeText, Day } from '../../ui/text/text.tsx';
import { useNarrow } from '../../ui/use-narrow.ts';
import { SearchField } from './search-field.tsx';
import type { ListFilter } from './use-member-filter.ts';

type Page = { items: TeamMember[]; next_cursor: string | null; total?: number | undefined };

type MemberListProps = {
  title: string;
  query: ListQuery & { data: Page | undefined };
  filter: ListFilter;
  /** False before the first settled session: volume is unknown then, which is not the same as zero. */
  hasFigures: boolean;
  empty: Empty;
};

const orders = [
  { value: 'name', label: t`Name` },
  { value: 'volume', label: t`Largest volume` },
  { value: 'team', label: t`Largest team` },
] as const;

/** Members of the team, searched, sorted and paged; search and order are in the address. */
export function MemberList({ title, query, filter, hasFigures, empty }: MemberListProps) {
  const narrow = useNarrow();
  const { search, sort, change } = filter;
  const tooLong = query.error instanceof CallError && query.error.code === 'team_list_too_long';
  // The call's toast says why; the list falls back to the order that works for any length.
  const goBack = useEffectEvent(() => change({ sort: undefined }));
  useEffect(() => {
    if (tooLong) goBack();
  }, [tooLong]);

  return (
    <TablePanel
      title={title}
      controlBelow
      foot={t`Mobile numbers and email addresses of your team are masked.`}
      control={
        <>
          <SearchField value={search} onSearch={(next) => change({ search: next })} />
          {narrow && (
            <FilterMenu
              label={t`Sort`}
              allLabel={t`Newest first`}
              icon={<IconArrowsSort size={14} stroke={1.5} aria-hidden />}
              options={orders}
              value={orders.find(({ value }) => value === sort)?.value}
              onChange={(next) => change({ sort: next })}
            />
          )}
        </>
      }
      columns={columnsOf(hasFigures, sort, (next) => change({ sort: next === 'joined' ? undefined : next }))}
      rows={query.data?.items}
      rowKey={(member) => member.id}
      query={query}
      minHeight={360}
      mobileRow={(member) => <RowOnMobile member={member} hasFigures={hasFigures} />}
      paging={filter.paging.pagingOf(query.data)}
      filtered={
        search !== undefined && {
          title: t`No members match “${search}”`,
          text: t`Search by the beginning of a first name, last name or Registered Id.`,
          onClear: () => change({ search: undefined }),
        }
      }
      empty={empty}
    />
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
    column(
      t`Member`,
      (member) => (
        <>
          <Text span inherit fw={500} style={{ overflowWrap: 'anywhere' }}>
            {member.name}
          </Text>
          <small>
            <CodeText>{member.referral_code}</CodeText>
          </small>
        </>
      ),
      by('name', 'ascending'),
    ),
    column(t`Mobile and email`, (member) => (
      <>
        <Text span inherit c="var(--tw-text-2)" style={{ whiteSpace: 'nowrap' }}>
          {member.mobile}
        </Text>
        <small>{member.email}</small>
      </>
    )),
    column(t`Joined, UTC`, (member) => <Day on={member.joined_at} />, by('joined', 'descending')),
    rightColumn(
      t`Own volume`,
      (member) => <Money value={hasFigures ? member.volume : null} decimals={2} />,
      by('volume', 'descending'),
    ),
    rightColumn(t`Team`, (member) => <Team {...member} />, by('team', 'descending')),
    column(t`State`, (member) => <Activity active={member.active} />),
  ];
};

const Activity = ({ active }: { active: boolean }) => <StateBadge of="member" state={active ? 'active' : 'inactive'} />;

function Team({ team_size, directs }: Pick<TeamMember, 'team_size' | 'directs'>) {
  if (team_size === 0) return '–';
  return (
    <>
      {formatCount(team_size)}
      <small>{t`${formatCount(directs)} direct`}</small>
    </>
  );
}

const RowOnMobile = ({ member, hasFigures }: { member: TeamMember; hasFigures: boolean }) => (
  <MobileRow>
    <span>
      {member.name}
      <Money value={hasFigures ? member.volume : null} decimals={2} />
    </span>
    <span>
      <small>
        <CodeText>{member.referral_code}</CodeText>
      </small>
      <Activity active={member.active} />
    </span>
    <small>
      {t`Joined ${formatDate(member.joined_at)}`} ·{' '}
      {member.team_size === 0 ? t`no team` : t`team of ${formatCount(member.team_size)}`}
    </small>
    <small>
      {member.mobile} · {member.email}
    </small>
  </MobileRow>
);

/** More columns than the list, since rows of a file cannot be expanded. */
export const memberFile = (hasFigures: boolean): readonly Column<TeamMember>[] => [
  fileColumn(t`Level`, (member) => member.level),
  fileColumn(t`Name`, (member) => member.name),
  fileColumn(t`Registered Id`, (member) => member.referral_code),
  fileColumn(t`Mobile`, (member) => member.mobile),
  fileColumn(t`Email`, (member) => member.email),
  fileColumn(t`Joined, UTC`, (member) => member.joined_at),
  fileColumn(t`Active`, (member) => (member.active ? t`yes` : t`no`)),
  fileColumn(usdHead(t`Own volume, 30 days`), (member) => (hasFigures ? member.volume : null)),
  fileColumn(t`Team`, (member) => member.team_size),
  fileColumn(t`Direct referrals`, (member) => member.directs),
];
