import { Box, Button } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { useQueries } from '@tanstack/react-query';
import type { TeamOverview } from '#contract/team.ts';
import { queryString } from '../../api/call.ts';
import { t } from '../../api/texts.ts';
import { paths } from '../../ui/paths.ts';
import { TableError, useLate } from '../../ui/table/data-table-states.tsx';
import { ListState } from '../../ui/table/list-state.tsx';
import { TextLink } from '../../ui/text/text.tsx';
import { FOUND_SIZE, levelQuery } from './queries.ts';
import { MemberTree } from './tree/member-tree.tsx';
import classes from './tree/tree.module.css';
import { MemberItem } from './tree/tree-item.tsx';
import { useTree } from './tree/use-tree.ts';

type FoundMembersProps = { overview: TeamOverview; search: string; onClear: () => void };

/** The matches of all levels, each with its branch. */
export function MemberMatches({ overview, search, onClear }: FoundMembersProps) {
  const tree = useTree();
  const levels = overview.levels.filter(({ members }) => members > 0).map(({ level }) => level);
  const answers = useQueries({
    queries: levels.map((level) => levelQuery(level, { search, limit: String(FOUND_SIZE) })),
  });
  const isPending = answers.some((answer) => answer.isPending);
  const late = useLate(isPending);
  const failed = answers.find((answer) => answer.isError);
  const members = answers.flatMap((answer) => answer.data?.items ?? []);
  const cut = levels.filter((_, index) => typeof answers[index]?.data?.next_cursor === 'string');

  if (failed) return <TableError query={failed} />;
  if (members.length === 0) {
    if (isPending)
      return (
        <Box mih={240} p={20} c="dimmed" fz="sm">
          {late && t`Searching your team…`}
        </Box>
      );
    return (
      <ListState
        icon={<IconFilter size={20} stroke={1.5} />}
        title={t`No members match “${search}”`}
        action={<Button variant="default" onClick={onClear}>{t`Clear filter`}</Button>}
      >{t`Search by the beginning of a first name, last name or Registered Id.`}</ListState>
    );
  }
  return (
    <>
      <MemberTree tree={tree} label={t`Members matching ${search}`}>
        {members.map((member, index) => (
          <MemberItem
            key={member.id}
            tree={tree}
            lastLevel={overview.levels.length}
            hasFigures={overview.as_of !== null}
            path={member.id}
            index={index}
            total={members.length}
            member={member}
            note={`level ${member.level}`}
          />
        ))}
      </MemberTree>
      {cut.length > 0 && (
        <p className={classes.cut}>
          {t`Showing the first ${FOUND_SIZE} of a level. View all:`}{' '}
          {cut.map((level) => (
            <TextLink key={level} to={`${paths.levelTeam}${queryString({ level, search })}`}>
              {t`Level ${level}`}
            </TextLink>
          ))}
        </p>
      )}
    </>
  );
}
