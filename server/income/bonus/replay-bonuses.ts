import assert from 'node:assert';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { getFeePlan } from '#server/fee-plans/index.ts';
import { rerun } from './rerun.ts';
import { beneficiariesFromSources, type DoneRun, findDoneOf, tradersOf } from './rerun-sql.ts';

export type Replay = {
  /** As the run left them. */
  readonly inputsHash: string;
  readonly outputsHash: string;
  /** As they come out now. */
  readonly replayedInputsHash: string;
  readonly replayedOutputsHash: string;
};

/**
 * Works a session that was shared out once more, from what its trades came to, who traded in the 30 days before, who stands
 * under whom and the fee plan: neither lines nor standings of the run are read. The hashes must be the same
 * (docs/incomes.md).
 */
export async function replayBonuses(context: Context, day: string): Promise<Replay> {
  const run = await findDoneOf(context.db, day);
  assert(run, `the session of ${day} was shared`);
  return inTransaction(context.db, (tx) => replayRun(tx, run));
}

/** The same of a run that is done, in a transaction that can write nothing of value from here on. */
export async function replayRun(tx: Tx, { day, feePlanId, inputsHash, outputsHash }: DoneRun): Promise<Replay> {
  const replayed = await rerun(tx, {
    day,
    feePlanId,
    shares: await getFeePlan(tx, feePlanId),
    traders: tradersOf(day),
    beneficiaries: (sums) => beneficiariesFromSources(day, sums),
  });
  return {
    inputsHash,
    outputsHash,
    replayedInputsHash: replayed.inputsHash,
    replayedOutputsHash: replayed.outputsHash,
  };
}
