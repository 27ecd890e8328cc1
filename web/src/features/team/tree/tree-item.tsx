import { VisuallyHidden } from '@mantine/core';
import { IconMinus, IconPlus } from '@tabler/icons-react';
import type { CSSProperties, ReactNode } from 'react';
import type { TeamMember } from '#contract/team.ts';
import { plural, t } from '../../../api/texts.ts';
import { useLate } from '../../../ui/table/data-table-states.tsx';
import { TryAgain } from '../../../ui/table/try-again.tsx';
import { memberText } from '../team-labels.ts';
import { MemberRow } from './member-tree.tsx';
import classes from './tree.module.css';
import { useBranch } from './use-branch.ts';
import type { Tree } from './use-tree.ts';

/** Props shared by all items of a tree. */
type TreeFacts = { tree: Tree; lastLevel: number; hasFigures: boolean };

type Place = { path: string; index: number; total: number };

type MemberItemProps = TreeFacts & Place & { member: TeamMember; note?: string };

/** A member with the branch below; a member of the last level may have one too, but it is not counted. */
export function MemberItem({ member, note, ...item }: MemberItemProps) {
  const canOpen = member.directs > 0 && member.level < item.lastLevel;
  return (
    <TreeItem
      {...item}
      label={memberText(member, item.hasFigures)}
      canOpen={canOpen}
      of={member.id}
      directs={member.directs}
    >
      <MemberRow member={member} hasFigures={item.hasFigures} note={note} />
    </TreeItem>
  );
}

type TreeItemProps = TreeFacts &
  Place & {
    label: string;
    canOpen: boolean;
    /** The member whose direct referrals the branch has; undefined is the caller. */
    of: string | undefined;
    directs: number;
    /** False where the button for more of the branch is elsewhere. */
    withMore?: boolean;
    children: ReactNode;
  };

export function TreeItem(props: TreeItemProps) {
  const { tree, path, index, total, label, canOpen, children } = props;
  const isOpen = canOpen && tree.isOpen(path);
  const depth = depthOf(path);
  return (
    <div className={classes.item} style={{ '--depth': depth } as CSSProperties}>
      <div
        role="treeitem"
        className={classes.row}
        aria-level={depth + 1}
        aria-posinset={index + 1}
        aria-setsize={total}
        aria-expanded={canOpen ? isOpen : undefined}
        tabIndex={tree.tabIndexOf(path, depth === 0 && index === 0)}
        data-path={path}
        data-row
        data-opens={canOpen || undefined}
      >
        <VisuallyHidden>{label}</VisuallyHidden>
        <span className={classes.seen} aria-hidden="true">
          {canOpen ? (
            <span className={classes.toggle}>
              {isOpen ? <IconMinus size={14} stroke={1.5} /> : <IconPlus size={14} stroke={1.5} />}
            </span>
          ) : (
            <i className={classes.leaf} />
          )}
          {children}
        </span>
      </div>
      {isOpen && <Branch {...props} />}
    </div>
  );
}

function Branch({ tree, path, of, directs, lastLevel, hasFigures, withMore = true }: TreeItemProps) {
  const { query, members, total, more, loadMore } = useBranch(tree, path, of, directs);
  const late = useLate(query.isPending);
  const depth = depthOf(path) + 1;
  const style = { '--depth': depth } as CSSProperties;
  return (
    // biome-ignore lint/a11y/useSemanticElements: the items of a branch are a group of the tree, not a set of fields
    <div role="group">
      {members?.map((member, index) => (
        <MemberItem
          key={member.id}
          tree={tree}
          lastLevel={lastLevel}
          hasFigures={hasFigures}
          path={`${path}/${member.id}`}
          index={index}
          total={total}
          member={member}
        />
      ))}
      {late && <div className={classes.words} style={style}>{t`Loading…`}</div>}
      {query.isError && (
        <div className={classes.words} style={style}>
          <span role="alert">{t`This branch could not be loaded.`}</span>
          <TryAgain query={query} size="sm" />
        </div>
      )}
      {withMore && more > 0 && (
        <div
          role="treeitem"
          className={`${classes.item} ${classes.more}`}
          style={style}
          aria-level={depth + 1}
          aria-busy={query.isFetchingNextPage}
          tabIndex={tree.tabIndexOf(`${path}/more`, false)}
          data-path={`${path}/more`}
          onClick={loadMore}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' && event.key !== ' ') return;
            event.preventDefault();
            loadMore();
          }}
        >
          <span>{query.isFetchingNextPage ? t`Loading…` : moreText(more)}</span>
        </div>
      )}
    </div>
  );
}

/** "5 more direct referrals" */
export const moreText = (more: number): string =>
  plural(more, { one: '# more direct referral', other: '# more direct referrals' });

const depthOf = (path: string): number => path.split('/').length - 1;
