import { IconUsers } from '@tabler/icons-react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { consoleMembers } from '#contract/endpoints.ts';
import type { FoundMember } from '#contract/operator/members.ts';
import { appInfo } from '../../../api/app-info.ts';
import { call } from '../../../api/call.ts';
import { formatDate } from '../../../ui/format/time.ts';
import { consolePath } from '../../../ui/paths.ts';
import { StateBadge } from '../../../ui/state/state-badge.tsx';
import type { Column } from '../../../ui/table/data-table.tsx';
import { column, lines, MemberCell } from '../kit/columns.tsx';
import { ListPage } from '../kit/list-page.tsx';
import { useList } from '../kit/list-table.tsx';
import { MemberView } from './member-view.tsx';

/** The search, or the page of the member in the address. */
export function MembersPage() {
  const { '*': rest = '' } = useParams();
  const [id, tab] = rest.split('/');
  return id ? <MemberView key={id} id={id} tab={tab} /> : <SearchPage />;
}

const matchLabels: Record<NonNullable<FoundMember['found_by']>, string> = {
  id: 'id',
  referral_code: 'Registered Id',
  name: 'name',
  email: 'email address',
  mobile_number: 'mobile number',
  address: 'payout address',
  reference: 'reference',
  transaction: 'transaction hash',
};

/** All members, or the results of the search in the header. */
function SearchPage() {
  const navigate = useNavigate();
  const [params, setParams] = useSearchParams();
  const search = params.get('search')?.trim() ?? '';
  const list = useList<FoundMember>({
    queryKey: ['members', 'list', search],
    readPage: (query, signal) =>
      call(consoleMembers.findMembers, { query: { ...query, ...(search && { search }) }, signal }),
  });
  return (
    <ListPage
      path="members"
      title="Members"
      facts={
        search === ''
          ? 'Newest first. Search by name, Registered Id, email, mobile, reference, address or transaction hash.'
          : `Results for “${search}”${list.hasMore ? '. Too many members match to list them all. Enter more of the name.' : ''}`
      }
      label="Members"
      columns={search === '' ? columns : [...columns, foundBy]}
      list={list}
      onOpen={(row) => navigate(`${consolePath('members')}/${row.id}`)}
      empty={{ icon: IconUsers, title: 'No members yet' }}
      filtered={
        search !== '' && {
          title: `No members match “${search}”`,
          text:
            search.length < 2
              ? 'Enter at least two letters of a name, or a whole Registered Id, mobile number, address or hash.'
              : 'Enter the whole mobile number, address or hash. The beginning of a name or email is enough.',
          onClear: () => setParams({}),
        }
      }
    />
  );
}

const columns: readonly Column<FoundMember>[] = [
  column('Member', (row) => <MemberCell member={row} />),
  column('Email', (row) => row.email, { drop: 'next' }),
  column('Mobile', (row) => row.mobile_number, { width: '150px', drop: 'first' }),
  column('Joined', (row) => formatDate(row.created_at), { width: '120px', drop: 'next' }),
  column('State', (row) => lines(<State member={row} />, row.withdrawals_frozen && 'withdrawals stopped'), {
    width: '170px',
  }),
];

const foundBy = column<FoundMember>('Matched', (row) => (row.found_by === null ? '' : matchLabels[row.found_by]), {
  width: '140px',
});

/** A missing verification is a warning only in live mode. */
function State({ member }: { member: FoundMember }) {
  if (member.closed) {
    return (
      <StateBadge of="security" state="off">
        Closed
      </StateBadge>
    );
  }
  if (member.frozen) return <StateBadge of="member" state="frozen" />;
  if (member.verified) return <StateBadge of="security" state="verified" />;
  if (appInfo.mode === 'live') return <StateBadge of="security" state="unverified" />;
  return (
    <StateBadge of="security" state="off">
      Not verified
    </StateBadge>
  );
}
