import type { ConsoleSession, SessionRerun } from '#contract/operator/sessions.ts';
import { StateBadge } from '../../../ui/text/state-badge.tsx';

/** How far the fees are shared out; nothing before that begins. */
export const RunBadge = ({ state }: { state: ConsoleSession['bonus_run'] }) =>
  state === null ? '–' : <StateBadge of="run" state={state} />;

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
