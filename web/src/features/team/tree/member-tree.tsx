import type { CSSProperties, ReactNode } from 'react';
import type { TeamMember } from '#contract/team.ts';
import { t } from '../../../api/texts.ts';
import { formatCount } from '../../../ui/format/number.ts';
import { StateBadge } from '../../../ui/state/state-badge.tsx';
import { initials } from '../../../ui/text/avatar.tsx';
import { Money } from '../../../ui/text/money.tsx';
import { CodeText } from '../../../ui/text/text.tsx';
import classes from './tree.module.css';
import type { Tree } from './use-tree.ts';

/** Column names; each item repeats its own for screen readers. */
const TreeHead = () => (
  <div className={classes.head} aria-hidden="true">
    <span className={classes.who}>{t`Member`}</span>
    <span className={classes.mask}>{t`Mobile`}</span>
    <span className={classes.state}>{t`State`}</span>
    <span className={classes.volume}>{t`Own volume`}</span>
    <span className={classes.team}>{t`Team`}</span>
  </div>
);

type MemberRowProps = { member: TeamMember; hasFigures: boolean; note: string | undefined };

export function MemberRow({ member, hasFigures, note }: MemberRowProps) {
  return (
    <>
      <Who name={member.name} code={member.referral_code} note={note} />
      <span className={classes.mask}>{member.mobile}</span>
      <span className={classes.state}>
        <StateBadge of="member" state={member.active ? 'active' : 'inactive'} />
      </span>
      <span className={classes.volume}>
        <Money value={hasFigures ? member.volume : null} decimals={2} />
      </span>
      <span className={classes.team}>{member.team_size === 0 ? '–' : formatCount(member.team_size)}</span>
    </>
  );
}

/** The caller, at the top of the tree. */
export const OwnRow = ({ name, code, team }: { name: string; code: string; team: number }) => (
  <>
    <Who name={name} code={code} note={t`you`} />
    <span className={classes.mask} />
    <span className={classes.state} />
    <span className={classes.volume} />
    <span className={classes.team}>{formatCount(team)}</span>
  </>
);

function Who({ name, code, note }: { name: string; code: string; note: string | undefined }): ReactNode {
  return (
    <>
      <span className={classes.avatar}>{initials(name)}</span>
      <span className={classes.who}>
        <b>{name}</b>
        <small>
          <CodeText>{code}</CodeText>
          {note && ` · ${note}`}
        </small>
      </span>
    </>
  );
}

/** The frame of a tree: heads and items. It widens with the depth of open branches, and then scrolls sideways. */
export function MemberTree({ tree, label, children }: { tree: Tree; label: string; children: ReactNode }) {
  return (
    <div className={classes.scroll}>
      <div className={classes.frame} style={{ '--deepest': tree.depth } as CSSProperties}>
        <TreeHead />
        <div role="tree" className={classes.tree} aria-label={label} ref={tree.root} {...tree.handlers}>
          {children}
        </div>
      </div>
    </div>
  );
}
