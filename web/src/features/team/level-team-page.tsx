import { VisuallyHidden } from '@mantine/core';
import { IconSitemap } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { TeamOverview } from '#contract/team.ts';
import { plural, t } from '../../api/texts.ts';
import { InviteButton } from '../../entities/member/invite-button.tsx';
import { CardChoice } from '../../ui/forms/choice.tsx';
import { PageHead } from '../../ui/layout/page-head.tsx';
import { CsvExport } from '../../ui/table/csv-export.tsx';
import { MemberList, memberFile } from './member-list.tsx';
import { levelQuery, overviewQuery, readLevel } from './queries.ts';
import { TeamFacts } from './team-facts.tsx';
import { countOf } from './team-labels.ts';
import { TeamTabs } from './team-tabs.tsx';
import { useMemberFilter } from './use-member-filter.ts';

/** The members of one level, newest first; the level is in the address. */
export function LevelTeamPage() {
  const filter = useMemberFilter();
  const overview = useQuery(overviewQuery);
  const hasFigures = overview.data?.as_of !== null;
  const { search, sort, level, paging } = filter;
  const members = useQuery(levelQuery(level, { search, sort, cursor: paging.cursor }));
  return (
    <>
      <PageHead title={t`Level Team`} facts={<TeamFacts overview={overview.data} />}>
        <CsvExport
          fileName={`level-${level}.csv`}
          columns={memberFile(hasFigures)}
          readPage={(query, signal) => readLevel(level, { search, ...query }, signal)}
        />
      </PageHead>
      <TeamTabs />
      <LevelChoice
        levels={overview.data?.levels}
        value={level}
        onChange={(next) => filter.change({ level: next === 1 ? undefined : String(next) })}
      />
      <MemberList
        title={t`Members of level ${level}`}
        query={members}
        filter={filter}
        hasFigures={hasFigures}
        empty={{
          icon: IconSitemap,
          title: t`No members on level ${level} yet`,
          text:
            level === 1
              ? t`Members who sign up with your invitation link are on level 1.`
              : t`Level ${level} is the direct referrals of the members on level ${level - 1}.`,
          action: level === 1 ? <InviteButton variant="default" /> : undefined,
        }}
      />
    </>
  );
}

type LevelChoiceProps = {
  /** undefined while the counts are loading. */
  levels: TeamOverview['levels'] | undefined;
  value: number;
  onChange: (level: number) => void;
};

const LEVELS = Array.from({ length: 10 }, (_, index) => index + 1);

/** The ten levels with their member counts. */
const LevelChoice = ({ levels, value, onChange }: LevelChoiceProps) => (
  <CardChoice
    legend={t`Level: 1 is your direct referrals, 2 is theirs, and so on`}
    variant="levels"
    options={LEVELS}
    {...{ value, onChange }}
    card={(level) => {
      const members = levels?.find((one) => one.level === level)?.members;
      return (
        <>
          <b>{level}</b>
          <small aria-hidden>{countOf(members)}</small>
          {members !== undefined && (
            <VisuallyHidden>, {plural(members, { one: '# member', other: '# members' })}</VisuallyHidden>
          )}
        </>
      );
    }}
  />
);
