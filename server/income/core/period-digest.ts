import { COUNTED_ONCE, type PeriodRule } from './contribution.ts';
import type { Period } from './periods.ts';

/** Inputs of a period run: its distributed sessions, the pool and the fee plan. */
export type PeriodInputs = Period & {
  readonly rule: PeriodRule;
  readonly planId: number;
  readonly pool: bigint;
  readonly carried: bigint;
  /** In order, with the output hashes of their bonus runs. */
  readonly sessions: readonly { readonly day: string; readonly outputsHash: string }[];
};

/**
 * The text whose SHA-256 is the input hash of a week or month. It only depends on the sessions, not on when or how
 * often the run was started:
 *
 * ``` weekly 2026-03-02 2026-03-09 plan 1 pool 1184261400 0 session 2026-03-02 9f86d081884c7d65… ```
 *
 * A period with rule 2 (each dollar counts once) has a line `rule 2` below the plan.
 */
export const inputsText = ({ kind, startsOn, endsOn, rule, planId, pool, carried, sessions }: PeriodInputs): string =>
  [
    `${kind} ${startsOn} ${endsOn}`,
    `plan ${planId}`,
    ...(rule === COUNTED_ONCE ? [`rule ${rule}`] : []),
    `pool ${pool} ${carried}`,
    ...sessions.map(({ day, outputsHash }) => `session ${day} ${outputsHash}`),
    '',
  ].join('\n');

/** The text whose SHA-256 is the output hash: paid and released amounts, and the hashes of the batches in order. */
export const outputsText = (outputs: {
  readonly rule: PeriodRule;
  readonly paid: bigint;
  readonly released: bigint;
  readonly batches: readonly string[];
}): string =>
  [
    `paid ${outputs.paid}`,
    ...(outputs.rule === COUNTED_ONCE ? [`released ${outputs.released}`] : []),
    ...outputs.batches.map((hash) => `block ${hash}`),
    '',
  ].join('\n');
