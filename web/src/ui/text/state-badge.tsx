import type { ReactNode } from 'react';
import classes from './state-badge.module.css';

type Tone = 'hollow' | 'grey' | 'info' | 'accent' | 'gain' | 'amber' | 'loss';

/** Every state, by what it is a state of: "open" of a trade and of a query are not the same. */
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
  trade: { queued: 'hollow', open: 'accent', settling: 'info', settled: 'grey', cancelled: 'hollow' },
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
  income: { paid: 'gain', held: 'amber', scaled: 'amber', locked: 'hollow', claimable: 'accent', waiting: 'info' },
  seal: { counted: 'gain', waiting: 'hollow', wrong: 'loss' },
  query: { open: 'info', answered: 'accent', closed: 'hollow' },
  member: { active: 'gain', inactive: 'hollow', frozen: 'loss' },
  asset: { on: 'gain', off: 'hollow', stale: 'amber' },
  announcement: { waiting: 'info', in_force: 'accent', over: 'grey', ended: 'hollow' },
  security: { on: 'gain', off: 'hollow', verified: 'gain', unverified: 'amber', current: 'accent' },
} as const satisfies Record<string, Record<string, Tone>>;

type Tones = typeof tones;
type StateBadgeProps = {
  [Kind in keyof Tones]: {
    of: Kind;
    state: keyof Tones[Kind];
    /** Other words than the state itself: "Scaled 0.82", "Waiting, place 4". */
    children?: ReactNode;
  };
}[keyof Tones];

const words: Partial<Record<string, string>> = {
  review: 'In review',
  inactive: 'Not active',
  unverified: 'Not verified',
  current: 'This device',
  scheduled: 'Next',
  collecting: 'Summing up',
  checking: 'Being checked',
  in_force: 'In force',
};
/** What a state is called, wherever it is named: `In review`. */
export const stateWord = (state: string): string => words[state] ?? state.charAt(0).toUpperCase() + state.slice(1);

/** The states of something in the order it can go through them, for a filter, in the words of their badges. */
export const stateOptions = <Kind extends keyof Tones>(kind: Kind) =>
  (Object.keys(tones[kind]) as (keyof Tones[Kind] & string)[]).map((value) => ({ value, label: stateWord(value) }));

/** Tint, dot and word; never colour alone. */
export function StateBadge({ of, state, children }: StateBadgeProps) {
  const tone = (tones[of] as Record<string, Tone>)[state] ?? 'grey';
  return (
    <span className={classes.badge} data-tone={tone}>
      {children ?? stateWord(state)}
    </span>
  );
}
