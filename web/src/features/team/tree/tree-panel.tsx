import { Box, Button } from '@mantine/core';
import { IconFilter, IconUsers } from '@tabler/icons-react';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import type { TeamOverview } from '#contract/team.ts';
import { queryString } from '../../../api/call.ts';
import { useMember } from '../../../api/sign-in-state.ts';
import { plural, t } from '../../../api/texts.ts';
import { InviteButton } from '../../../entities/member/invite-button.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { paths } from '../../../ui/paths.ts';
import { TableError, useLate } from '../../../ui/table/data-table-states.tsx';
import { ListState } from '../../../ui/table/list-state.tsx';
import { TextLink } from '../../../ui/text/text.tsx';
import { FOUND_SIZE, levelQuery } from '../queries.ts';
import { SearchField } from '../search-field.tsx';
import { MemberTree, OwnRow } from './member-tree.tsx';
import classes from './tree.module.css';
import { MemberItem, moreText, TreeItem } from './tree-item.tsx';
import { useBranch } from './use-branch.ts';
import { type Tree, useTree } from './use-tree.ts';

const ROOT = 'me';

/** The team as a tree that loads branch by branch. */
export function TreePanel({ overview }: { overview: TeamOverview }) {
  if (overview.total_members > 0) return <FilledPanel overview={overview} />;
  return (
    <Panel title={t`Tree`} rule>
      <ListState
        icon={IconUsers}
        title={t`No members yet`}
        action={<InviteButton variant="default" />}
      >{t`Members who sign up with your invitation link are shown here, with everybody below them.`}</ListState>
    </Panel>
  );
}

/** The tree, or the matches of a search; open branches are restored when the search is cleared. */
function FilledPanel({ overview }: { overview: TeamOverview }) {
  const [search, setSearch] = useState<string>();
  const tree = useTree([ROOT]);
  const directs = overview.levels[0]?.members ?? 0;
  const { query, more, loadMore } = useBranch(tree, ROOT, undefined, directs);
  return (
    <Panel
      title={t`Tree`}
      rule
      padded={false}
      className={classes.panel}
      control={<SearchField value={search} onSearch={setSearch} />}
      foot={
        <>
          <span>{t`Mobile numbers are masked.`}</span>
          {search === undefined && more > 0 && tree.isOpen(ROOT) && (
            <Button
              variant="subtle"
              size="sm"
              className={classes.moreButton}
              disabled={query.isFetchingNextPage}
              onClick={loadMore}
            >
              {moreText(more)}
            </Button>
          )}
        </>
      }
    >
      {search === undefined ? (
        <OwnTree overview={overview} tree={tree} directs={directs} />
      ) : (
        <MemberMatches key={search} overview={overview} search={search} onClear={() => setSearch(undefined)} />
      )}
    </Panel>
  );
}

function OwnTree({ overview, tree, directs }: { overview: TeamOverview; tree: Tree; directs: number }) {
  const member = useMember();
  const name = member?.name ?? '';
  return (
    <MemberTree tree={tree} label={t`Your team`}>
      <TreeItem
        tree={tree}
        lastLevel={overview.levels.length}
        hasFigures={overview.as_of !== null}
        path={ROOT}
        index={0}
        total={1}
        label={t`${name}, you, team of ${plural(overview.total_members, { one: '# member', other: '# members' })}`}
        canOpen
        of={undefined}
        directs={directs}
        withMore={false}
      >
        <OwnRow name={name} code={member?.referral_code ?? ''} team={overview.total_members} />
      </TreeItem>
    </MemberTree>
  );
}

type FoundMembersProps = { overview: TeamOverview; search: string; onClear: () => void };

/** The matches of all levels, each with its branch. */
function MemberMatches({ overview, search, onClear }: FoundMembersProps) {
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
        icon={IconFilter}
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
