import type { OperatorActor } from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import { execute, findRow } from '#server/db/rows.ts';
import { isSealedWithKey } from '#server/signing/index.ts';
import type { Snapshot } from './snapshot-sql.ts';
import { takeAskedSnapshot } from './take-snapshot.ts';

/**
 * One more snapshot, because an admin wants it. A process without the key that signs leaves it to one that has it, which
 * begins within a minute. Refuses `nobody_to_count`.
 *
 * @returns the snapshot; null when it is left to another process
 */
export async function askForSnapshot(context: Context, actor: OperatorActor): Promise<Snapshot | null> {
  const { db, now, sealKey } = context;
  if (sealKey !== undefined || !(await isSealedWithKey(db))) return takeAskedSnapshot(context, actor);
  await execute(db)`
    insert into solvency.snapshot_request (operator_id, address, asked_at)
    values (${actor.operatorId}, ${actor.address}, ${now()})
    on conflict do nothing`;
  return null;
}

/** Takes what was asked for elsewhere, at most once: what a worker that dies had begun is asked for again by a person. */
export async function takeRequestedSnapshots(context: Context): Promise<void> {
  const takeNext = () =>
    findRow(context.db)<OperatorActor>`
      delete from solvency.snapshot_request
      where operator_id = (select operator_id from solvency.snapshot_request order by asked_at, operator_id limit 1)
      returning operator_id as "operatorId", address`;
  for (let by = await takeNext(); by !== undefined; by = await takeNext()) await takeAskedSnapshot(context, by);
}
