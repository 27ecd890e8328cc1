import type { SessionRerun } from '#contract/operator/sessions.ts';
import { actingAs, type OperatorActor } from '#server/approvals/index.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { replaySession, type SessionReplay } from '#server/income/index.ts';
import { orRefuse, Refused } from '#server/refused.ts';
import { findSessionFigures, type ReplayedHash } from '#server/trading/index.ts';

/** Larger sessions take longer than a request may last. */
const MAX_MEMBERS = 100_000n;

/**
 * Recalculates a settled session and compares its hashes (docs/operators-guide.md, "Sessions and halt"). It posts
 * nothing; the result is in the audit log.
 *
 * Refuses `not_found`, `session_not_settled`, `rerun_under_way`, `rerun_too_large`.
 */
export async function rerunSession(context: Context, actor: OperatorActor, day: string): Promise<SessionRerun> {
  const { db } = context;
  const session = orRefuse(await findSessionFigures(db, day), 'not_found');
  if (session.state !== 'settled') throw new Refused('session_not_settled');
  if (session.members > MAX_MEMBERS) throw new Refused('rerun_too_large');
  const startedAt = performance.now();
  const parts = partsOf(await replaySession(context, day));
  const took = Math.round(performance.now() - startedAt);
  await inTransaction(db, (tx) =>
    writeAudit(tx, { ...actingAs(actor), action: 'session.rerun', subject: `session:${day}`, after: { parts } }),
  );
  return { day, at: context.now().toISOString(), took_ms: took, parts };
}

const partsOf = ({ results, bonusInputs, bonusOutputs }: SessionReplay): SessionRerun['parts'] => [
  showPart('results', results),
  ...(bonusInputs === null ? [] : [showPart('bonus_inputs', bonusInputs)]),
  ...(bonusOutputs === null ? [] : [showPart('bonus_outputs', bonusOutputs)]),
];

const showPart = (
  part: SessionRerun['parts'][number]['part'],
  { stored, replayed }: ReplayedHash,
): SessionRerun['parts'][number] => ({ part, same: stored === replayed, stored, replayed });
