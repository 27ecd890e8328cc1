import type { ConsoleSession, SessionRerun } from '#contract/operator/sessions.ts';
import { StateBadge } from '../../../ui/text/state-badge.tsx';

const tones = { scheduled: 'queued', open: 'open', settling: 'settling', settled: 'settled' } as const;

export const SessionBadge = ({ state }: { state: ConsoleSession['state'] }) => (
  <StateBadge of="trade" state={tones[state]}>
    {stateWords[state]}
  </StateBadge>
);

/** How far the fees are shared out; nothing before that begins. */
export function RunBadge({ state }: { state: ConsoleSession['bonus_run'] }) {
  if (state === null) return '–';
  return (
    <StateBadge of="withdrawal" state={state === 'done' ? 'completed' : 'sent'}>
      {runWords[state]}
    </StateBadge>
  );
}

/** As sessions are called at the desk. */
const stateWords: Record<ConsoleSession['state'], string> = {
  scheduled: 'Next',
  open: 'Open',
  settling: 'Settling',
  settled: 'Settled',
};

export const runWords: Record<NonNullable<ConsoleSession['bonus_run']>, string> = {
  collecting: 'Summing up',
  paying: 'Paying',
  checking: 'Being checked',
  done: 'Done',
};

export const partWords: Record<SessionRerun['parts'][number]['part'], string> = {
  results: 'Results',
  bonus_inputs: 'What the bonus run rests on',
  bonus_outputs: 'What the bonus run paid',
};

/** The head and the end of a hash, enough to tell two apart: `9f86d081…a3bf4f1b`. */
export const shortHash = (hash: string): string => `${hash.slice(0, 8)}…${hash.slice(-8)}`;

/** `10` basis points are `0.1 %`. */
export const percentOfBps = (bps: number): string => `${bps / 100} %`;

const counted = new Intl.NumberFormat('en-US');

/** `1 trade`, `1,204 trades`. */
export const countOf = (count: number, one: string): string =>
  `${counted.format(count)} ${one}${count === 1 ? '' : 's'}`;
