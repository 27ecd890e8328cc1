import { COUNTED_ONCE, type PeriodRule } from './contribution.ts';
import type { Period } from './periods.ts';

/** What a period's run rests on: its sessions as they were shared, the pool, and what the fee plan says of it. */
export type PeriodInputs = Period & {
  readonly rule: PeriodRule;
  readonly planId: number;
  readonly pool: bigint;
  readonly carried: bigint;
  /** In order, with the outputs' hashes of their bonus runs. */
  readonly sessions: readonly { readonly day: string; readonly outputsHash: string }[];
};

/**
 * The text whose sha256 is the inputs' hash of a week or month; the same sessions give the same one, whenever and however
 * often the run was begun:
 *
 * ```
 * weekly 2026-03-02 2026-03-09
 * plan 1
 * pool 1184261400 0
 * session 2026-03-02 9f86d081884c7d65…
 * ```
 *
 * A period in which a dollar counts once says `rule 2` below the plan.
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

/** The text whose sha256 is the outputs' hash: what was paid, what of the pool was released, and the hashes of the blocks of members in their order. */
export const outputsText = (outputs: {
  readonly rule: PeriodRule;
  readonly paid: bigint;
  readonly released: bigint;
  readonly blocks: readonly string[];
}): string =>
  [
    `paid ${outputs.paid}`,
    ...(outputs.rule === COUNTED_ONCE ? [`released ${outputs.released}`] : []),
    ...outputs.blocks.map((hash) => `block ${hash}`),
    '',
  ].join('\n');
