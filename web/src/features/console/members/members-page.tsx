import { IconUsers } from '@tabler/icons-react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import type { FoundMember } from '#contract/operator/members.ts';
import { appInfo } from '../../../api/app-info.ts';
import { formatDate } from '../../../ui/format/time.ts';
import { consolePath } from '../../../ui/paths.ts';
import type { Column } from '../../../ui/table/data-table.tsx';
import { StateBadge } from '../../../ui/text/state-badge.tsx';
import { ListPage } from '../kit/list-page.tsx';
import { useList } from '../kit/list-table.tsx';
import { MemberCell } from '../kit/member.tsx';
import { MemberView } from './member-view.tsx';
import { findMembers } from './queries.ts';

/** The search, or the page of the one that the address names. */
export function MembersPage() {
  const { '*': rest = '' } = useParams();
  const [id, tab] = rest.split('/');
  return id ? <MemberView key={id} id={id} tab={tab} /> : <SearchPage />;
}

const findWords: Record<NonNullable<FoundMember['found_by']>, string> = {
  id: 'id',
  referral_code: 'Registered Id',
  name: 'name',
  email: 'mail address',
  mobile_number: 'mobile number',
  address: 'payout address',
  reference: 'reference',
  transaction: 'transaction hash',
};

/** All members, or those that the search of the header found. */
function SearchPage() {
  const navigate = useNavigate();
  const [params, setParams] = useSearchParams();
  const search = params.get('search')?.trim() ?? '';
  const list = useList<FoundMember>({ queryKey: ['members', 'list', search], readPage: findMembers(search) });
  return (
    <ListPage
      path="members"
      title="Members"
      facts={
        search === ''
          ? 'Newest first. Search by name, Registered Id, mail, mobile, reference, address or transaction hash.'
          : `Found for “${search}”.`
      }
      label="Members"
      columns={search === '' ? columns : [...columns, foundBy]}
      list={list}
      onOpen={(row) => navigate(`${consolePath('members')}/${row.id}`)}
      empty={{ icon: <IconUsers size={20} stroke={1.5} />, title: 'No members yet' }}
      filtered={
        search === ''
          ? undefined
          : {
              title: `Nobody is found for “${search}”`,
              text: 'Mail, mobile, address and hash have to be whole; of a name its beginning is enough.',
              onClear: () => setParams({}),
            }
      }
    />
  );
}

const columns: readonly Column<FoundMember>[] = [
  { key: 'member', label: 'Member', render: (row) => <MemberCell member={row} /> },
  { key: 'email', label: 'Mail', from: 'middle', render: (row) => row.email },
  { key: 'mobile', label: 'Mobile', width: '150px', from: 'wide', render: (row) => row.mobile_number },
  { key: 'joined', label: 'Joined', width: '120px', render: (row) => formatDate(row.created_at) },
  {
    key: 'state',
    label: 'State',
    width: '190px',
    render: (row) => (
      <>
        <State member={row} />
        {row.withdrawals_frozen && <small>withdrawals stopped</small>}
      </>
    ),
  },
];

const foundBy: Column<FoundMember> = {
  key: 'found',
  label: 'Found by',
  width: '140px',
  render: (row) => (row.found_by === null ? '' : findWords[row.found_by]),
};

/** Outside of live mode it stops nobody that a member is not verified. */
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
