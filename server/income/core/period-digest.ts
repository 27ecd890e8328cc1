import type { Period } from './periods.ts';

/** What a period's run rests on: its sessions as they were shared, the pool, and what the fee plan says of it. */
export type PeriodInputs = Period & {
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
 */
export const inputsText = ({ kind, startsOn, endsOn, planId, pool, carried, sessions }: PeriodInputs): string =>
  [
    `${kind} ${startsOn} ${endsOn}`,
    `plan ${planId}`,
    `pool ${pool} ${carried}`,
    ...sessions.map(({ day, outputsHash }) => `session ${day} ${outputsHash}`),
    '',
  ].join('\n');

/** The text whose sha256 is the outputs' hash: what was paid, and the hashes of the blocks of members in their order. */
export const outputsText = (outputs: { readonly paid: bigint; readonly blocks: readonly string[] }): string =>
  [`paid ${outputs.paid}`, ...outputs.blocks.map((hash) => `block ${hash}`), ''].join('\n');
