import { IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { InviteButton } from '../../entities/member/invite-button.tsx';
import { PageHead } from '../../ui/frame/page-head.tsx';
import { CsvExport } from '../../ui/table/csv-export.tsx';
import { memberFile } from './member-csv.ts';
import { MemberList } from './member-list.tsx';
import { overviewQuery, readReferrals, referralsQuery } from './queries.ts';
import { figuresOf } from './team-labels.ts';
import { TeamTabs } from './team-tabs.tsx';
import { useMemberFilter } from './use-member-filter.ts';

/** Whoever signed up with the member's link, newest first. */
export function ReferralTeamPage() {
  const filter = useMemberFilter();
  const overview = useQuery(overviewQuery);
  const { search, sort, paging } = filter;
  const referrals = useQuery(referralsQuery({ search, sort, cursor: paging.cursor }));
  return (
    <>
      <PageHead title="Referral Team" facts={figuresOf(overview.data)}>
        <CsvExport fileName="referral-team.csv" columns={memberFile} readPage={readReferrals} />
        <InviteButton />
      </PageHead>
      <TeamTabs />
      <MemberList
        title="Direct referrals"
        query={referrals}
        filter={filter}
        hasFigures={overview.data?.as_of !== null}
        empty={{
          icon: <IconUsers size={20} stroke={1.5} />,
          title: 'Nobody yet',
          text: 'Whoever signs up with your invitation link is listed here, with what they trade and who they invite.',
          action: <InviteButton variant="default" />,
        }}
      />
    </>
  );
}
