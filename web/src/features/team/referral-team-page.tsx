import { IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../api/texts.ts';
import { InviteButton } from '../../entities/member/invite-button.tsx';
import { PageHead } from '../../ui/layout/page-head.tsx';
import { CsvExport } from '../../ui/table/csv-export.tsx';
import { MemberList, memberFile } from './member-list.tsx';
import { overviewQuery, readReferrals, referralsQuery } from './queries.ts';
import { TeamFacts } from './team-facts.tsx';
import { TeamTabs } from './team-tabs.tsx';
import { useMemberFilter } from './use-member-filter.ts';

/** The members who signed up with the member's link, newest first. */
export function ReferralTeamPage() {
  const filter = useMemberFilter();
  const overview = useQuery(overviewQuery);
  const hasFigures = overview.data?.as_of !== null;
  const { search, sort, paging } = filter;
  const referrals = useQuery(referralsQuery({ search, sort, cursor: paging.cursor }));
  return (
    <>
      <PageHead title={t`Referral Team`} facts={<TeamFacts overview={overview.data} />}>
        <CsvExport
          fileName="referral-team.csv"
          columns={memberFile(hasFigures)}
          readPage={(query, signal) => readReferrals({ search, ...query }, signal)}
        />
        <InviteButton />
      </PageHead>
      <TeamTabs />
      <MemberList
        title={t`Direct referrals`}
        query={referrals}
        filter={filter}
        hasFigures={hasFigures}
        empty={{
          icon: IconUsers,
          title: t`No referrals yet`,
          text: t`Members who sign up with your invitation link are listed here, with their volume and team.`,
          action: <InviteButton variant="default" />,
        }}
      />
    </>
  );
}
