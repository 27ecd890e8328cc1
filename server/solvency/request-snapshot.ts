import type { OperatorActor } from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import { execute, findRow } from '#server/db/rows.ts';
import { isSealedWithKey } from '#server/signing/index.ts';
import type { Snapshot } from './snapshot-sql.ts';
import { takeExtraSnapshot } from './take-snapshot.ts';

/**
 * Takes an extra snapshot for an admin. A process without the seal key queues the request for one that has it, which
 * starts within a minute. Refuses `nobody_to_count`.
 *
 * @returns the snapshot; null when it was queued
 */
export async function requestSnapshot(context: Context, actor: OperatorActor): Promise<Snapshot | null> {
  const { db, now, sealKey } = context;
  if (sealKey !== undefined || !(await isSealedWithKey(db))) return takeExtraSnapshot(context, actor);
  await execute(db)`
    insert into solvency.snapshot_request (operator_id, address, asked_at)
    values (${actor.operatorId}, ${actor.address}, ${now()})
    on conflict do nothing`;
  return null;
}

/** Takes queued snapshots, each at most once: after a crash of the worker the admin has to request it again. */
export async function takeRequestedSnapshots(context: Context): Promise<void> {
  const takeNext = () =>
    findRow(context.db)<OperatorActor>`
      delete from solvency.snapshot_request
      where operator_id = (select operator_id from solvency.snapshot_request order by asked_at, operator_id limit 1)
      returning operator_id as "operatorId", address`;
  for (let by = await takeNext(); by !== undefined; by = await takeNext()) await takeExtraSnapshot(context, by);
}
