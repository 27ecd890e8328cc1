import type { ReactNode } from 'react';
import type { TeamMember } from '#contract/team.ts';
import { CodeText } from '../../../ui/text/code-text.tsx';
import { initials } from '../../../ui/text/initials.ts';
import { Money } from '../../../ui/text/money.tsx';
import { StateBadge } from '../../../ui/text/state-badge.tsx';
import classes from './tree.module.css';

/** The names of the columns; each item says its own for those who do not see them. */
export const TreeHead = () => (
  <div className={classes.head} aria-hidden="true">
    <span className={classes.who}>Member</span>
    <span className={classes.mask}>Mobile</span>
    <span className={classes.state}>State</span>
    <span className={classes.volume}>Own volume</span>
    <span className={classes.team}>Team</span>
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
      <span className={classes.team}>{member.team_size === 0 ? '–' : member.team_size.toLocaleString('en-US')}</span>
    </>
  );
}

/** The caller, at the top of the tree. */
export const OwnRow = ({ name, code, team }: { name: string; code: string; team: number }) => (
  <>
    <Who name={name} code={code} note="you" />
    <span className={classes.mask} />
    <span className={classes.state} />
    <span className={classes.volume} />
    <span className={classes.team}>{team.toLocaleString('en-US')}</span>
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
