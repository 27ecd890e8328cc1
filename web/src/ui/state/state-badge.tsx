import type { ReactNode } from 'react';
import { t } from '../../api/texts.ts';
import classes from './state-badge.module.css';

type Tone = 'hollow' | 'grey' | 'info' | 'accent' | 'gain' | 'amber' | 'loss';

/** All states by kind: "open" of a trade and of a query are not the same. */
const tones = {
  session: {
    scheduled: 'hollow',
    closed: 'hollow',
    open: 'accent',
    settling: 'info',
    settled: 'grey',
    ended: 'hollow',
  },
  run: { collecting: 'info', paying: 'info', checking: 'info', done: 'gain' },
  job: { overdue: 'loss', failing: 'loss', running: 'info', waiting: 'hollow' },
  trade: { queued: 'hollow', opening: 'info', open: 'accent', settling: 'info', settled: 'grey', cancelled: 'hollow' },
  plan: { active: 'accent', paused: 'amber', redeemed: 'grey' },
  deposit: {
    created: 'hollow',
    pending: 'info',
    underpaid: 'amber',
    credited: 'gain',
    expired: 'hollow',
    review: 'amber',
    refunded: 'grey',
    rejected: 'loss',
    failed: 'loss',
  },
  withdrawal: {
    requested: 'info',
    approved: 'info',
    sent: 'info',
    uncertain: 'amber',
    completed: 'gain',
    cancelled: 'hollow',
    rejected: 'loss',
    failed: 'loss',
  },
  income: {
    paid: 'gain',
    held: 'amber',
    scaled: 'amber',
    locked: 'hollow',
    passed: 'hollow',
    claimable: 'accent',
    waiting: 'info',
  },
  seal: { counted: 'gain', waiting: 'hollow', wrong: 'loss' },
  query: { open: 'info', answered: 'accent', closed: 'hollow' },
  member: { active: 'gain', inactive: 'hollow', frozen: 'loss' },
  email: { waiting: 'hollow', logged: 'grey', sent: 'gain', capped: 'amber', failed: 'loss' },
  asset: { on: 'gain', off: 'hollow', stale: 'amber' },
  announcement: { waiting: 'info', in_force: 'accent', over: 'grey', ended: 'hollow' },
  security: { on: 'gain', off: 'hollow', verified: 'gain', unverified: 'amber', current: 'accent' },
} as const satisfies Record<string, Record<string, Tone>>;

type Tones = typeof tones;
type StateBadgeProps = {
  [Kind in keyof Tones]: {
    of: Kind;
    state: keyof Tones[Kind];
    /** Text instead of the state's name: "Scaled 0.82", "Waiting, place 4". */
    children?: ReactNode;
  };
}[keyof Tones];

/** The label of a state, wherever it is named. */
const words: Readonly<Record<string, string>> = {
  active: t`Active`,
  answered: t`Answered`,
  approved: t`Approved`,
  cancelled: t`Cancelled`,
  checking: t`Checking`,
  claimable: t`Claimable`,
  closed: t`Closed`,
  collecting: t`Collecting`,
  completed: t`Completed`,
  counted: t`Counted`,
  created: t`Created`,
  credited: t`Credited`,
  current: t`This device`,
  done: t`Done`,
  ended: t`Ended`,
  expired: t`Expired`,
  failed: t`Failed`,
  frozen: t`Frozen`,
  held: t`Held`,
  in_force: t`In force`,
  inactive: t`Not active`,
  locked: t`Locked`,
  off: t`Off`,
  on: t`On`,
  open: t`Open`,
  paid: t`Paid`,
  paused: t`Paused`,
  paying: t`Paying`,
  pending: t`Pending`,
  queued: t`Queued`,
  redeemed: t`Redeemed`,
  refunded: t`Refunded`,
  rejected: t`Rejected`,
  requested: t`Requested`,
  review: t`In review`,
  scaled: t`Scaled`,
  scheduled: t`Next`,
  sent: t`Sent`,
  settled: t`Settled`,
  settling: t`Settling`,
  opening: t`Opening`,
  stale: t`Stale`,
  uncertain: t`Uncertain`,
  underpaid: t`Underpaid`,
  unverified: t`Not verified`,
  verified: t`Verified`,
  waiting: t`Waiting`,
  wrong: t`Wrong`,
};

/** `stateLabel('review') === 'In review'`; states of the console's jobs are their own labels. */
export const stateLabel = (state: string): string => words[state] ?? state.charAt(0).toUpperCase() + state.slice(1);

/** The states of a kind in life-cycle order, for a filter, with the labels of their badges. */
export const stateOptions = <Kind extends keyof Tones>(kind: Kind) =>
  (Object.keys(tones[kind]) as (keyof Tones[Kind] & string)[]).map((value) => ({ value, label: stateLabel(value) }));

/** Tint, dot and label; never colour alone. */
export function StateBadge({ of, state, children }: StateBadgeProps) {
  const tone = (tones[of] as Record<string, Tone>)[state] ?? 'grey';
  const isPlain = tone === 'hollow' || tone === 'grey';
  const [background, color] = isPlain ? ['neutral-tint', 'text-2'] : [`${tone}-tint`, tone];
  return (
    <span
      className={classes.badge}
      data-tone={tone}
      style={{ background: `var(--tw-${background})`, color: `var(--tw-${color})` }}
    >
      {children ?? stateLabel(state)}
    </span>
  );
}
