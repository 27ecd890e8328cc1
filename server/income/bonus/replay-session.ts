import assert from 'node:assert';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { getFeePlan } from '#server/fee-plans/index.ts';
import { orRefuse, Refused } from '#server/refused.ts';
import { type ReplayedHash, replayResults } from '#server/trading/index.ts';
import {
  beneficiariesFromSources,
  claimReplay,
  type DoneRun,
  findDoneOf,
  isStatementTimeout,
  rerun,
  setStatementTimeout,
  tradersOf,
} from './rerun.ts';

export type SessionReplay = {
  /** The session's run digest: results from amounts, prices and rates. */
  readonly results: ReplayedHash;
  /** The bonus run; null until it has ended. */
  readonly bonusInputs: ReplayedHash | null;
  readonly bonusOutputs: ReplayedHash | null;
};

/** Statement timeout of a replay: a caller is waiting, and the embedded engine is blocked meanwhile. */
const STATEMENT_MS = 20_000;

/**
 * Recalculates a settled session, results and bonus run, from its stored trades and the sponsor tree. Nothing is posted
 * or stored: the transaction can only write a temporary table. Only one replay runs at a time.
 *
 * @throws Refused session_not_settled, rerun_under_way, rerun_too_large on a statement timeout
 */
export async function replaySession({ db }: Context, day: string): Promise<SessionReplay> {
  const done = await findDoneOf(db, day);
  try {
    return await inTransaction(db, async (tx) => {
      if (!(await claimReplay(tx))) throw new Refused('rerun_under_way');
      await setStatementTimeout(tx, STATEMENT_MS);
      const results = orRefuse(await replayResults(tx, day), 'session_not_settled');
      const run = done && (await replayRun(tx, done));
      return {
        results,
        bonusInputs: run === undefined ? null : { stored: run.inputsHash, replayed: run.replayedInputsHash },
        bonusOutputs: run === undefined ? null : { stored: run.outputsHash, replayed: run.replayedOutputsHash },
      };
    });
  } catch (error) {
    if (isStatementTimeout(error)) throw new Refused('rerun_too_large');
    throw error;
  }
}

type Replay = {
  /** As stored by the run. */
  readonly inputsHash: string;
  readonly outputsHash: string;
  /** As recalculated. */
  readonly replayedInputsHash: string;
  readonly replayedOutputsHash: string;
};

/**
 * Recalculates a distributed session from the results of its trades, the traders of the 30 days before, the sponsor
 * tree and the fee plan, without reading lines or qualifications of the run. The hashes must be the same
 * (docs/incomes.md).
 */
export async function replayBonuses(context: Context, day: string): Promise<Replay> {
  const run = await findDoneOf(context.db, day);
  assert(run, `the session of ${day} was distributed`);
  return inTransaction(context.db, (tx) => replayRun(tx, run));
}

/** The same for a finished run; makes the transaction read-only except for temporary tables. */
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
