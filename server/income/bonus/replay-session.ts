import assert from 'node:assert';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { getFeePlan } from '#server/fee-plans/index.ts';
import { Refused } from '#server/refused.ts';
import { type ReplayedHash, replayResults } from '#server/trading/index.ts';
import {
  beneficiariesFromSources,
  boundStatements,
  claimReplay,
  type DoneRun,
  findDoneOf,
  isCutOff,
  rerun,
  tradersOf,
} from './rerun.ts';

export type SessionReplay = {
  /** Of the manifest: amounts, prices and rates give results. */
  readonly results: ReplayedHash;
  /** Of the bonus run; null while it has not ended. */
  readonly bonusInputs: ReplayedHash | null;
  readonly bonusOutputs: ReplayedHash | null;
};

/** No statement of a replay may take longer: somebody waits for the answer, and the embedded engine serves nobody meanwhile. */
const STATEMENT_MS = 20_000;

/**
 * Recalculates a settled session, results and bonus run, from its stored trades and the sponsor tree. Nothing is
 * posted or kept: the transaction can write nothing but a temporary table. One at a time, whoever asks.
 *
 * @throws Refused session_not_settled, rerun_under_way, rerun_too_large when it takes longer than anybody waits
 */
export async function replaySession({ db }: Context, day: string): Promise<SessionReplay> {
  const done = await findDoneOf(db, day);
  try {
    return await inTransaction(db, async (tx) => {
      if (!(await claimReplay(tx))) throw new Refused('rerun_under_way');
      await boundStatements(tx, STATEMENT_MS);
      const results = await replayResults(tx, day);
      if (results === undefined) throw new Refused('session_not_settled');
      const run = done && (await replayRun(tx, done));
      return {
        results,
        bonusInputs: run === undefined ? null : { stored: run.inputsHash, replayed: run.replayedInputsHash },
        bonusOutputs: run === undefined ? null : { stored: run.outputsHash, replayed: run.replayedOutputsHash },
      };
    });
  } catch (error) {
    if (isCutOff(error)) throw new Refused('rerun_too_large');
    throw error;
  }
}

type Replay = {
  /** As the run left them. */
  readonly inputsHash: string;
  readonly outputsHash: string;
  /** As they come out now. */
  readonly replayedInputsHash: string;
  readonly replayedOutputsHash: string;
};

/**
 * Recalculates a distributed session from the results of its trades, who traded in the 30 days before, who stands
 * under whom and the fee plan: neither lines nor qualifications of the run are read. The hashes must be the same
 * (docs/incomes.md).
 */
export async function replayBonuses(context: Context, day: string): Promise<Replay> {
  const run = await findDoneOf(context.db, day);
  assert(run, `the session of ${day} was shared`);
  return inTransaction(context.db, (tx) => replayRun(tx, run));
}

/** The same of a run that is done, in a transaction that can write nothing of value from here on. */
async function replayRun(tx: Tx, { day, feePlanId, inputsHash, outputsHash }: DoneRun): Promise<Replay> {
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
