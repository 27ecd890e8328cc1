import { sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';

export type AlarmCause = 'solvency' | 'integrity';
export type Alarm = { readonly cause: AlarmCause; readonly why: string; readonly raisedAt: Date };

/** Those that stand, the oldest first. */
export async function listAlarmRows(db: Db): Promise<Alarm[]> {
  const { rows } = await sql<Alarm>`
    select cause, why, raised_at as "raisedAt" from integrity.alarm order by raised_at, cause`.execute(db);
  return rows;
}

/** Alarms are raised and taken back one after the other. */
export async function lockAlarms(tx: Tx): Promise<void> {
  await sql`lock table integrity.alarm in share row exclusive mode`.execute(tx);
}

/** False when it stood already: then it says what is wrong by now, and since when stays. */
export async function upsertAlarm(tx: Tx, { cause, why, raisedAt }: Alarm): Promise<boolean> {
  const { rows } = await sql<{ is_new: boolean }>`
    insert into integrity.alarm (cause, why, raised_at) values (${cause}, ${why}, ${raisedAt})
    on conflict (cause) do update set why = excluded.why
    returning xmax = 0 as is_new`.execute(tx);
  return rows[0]?.is_new === true;
}

/** False when it did not stand. */
export async function deleteAlarm(tx: Tx, cause: AlarmCause): Promise<boolean> {
  const { rows } = await sql`delete from integrity.alarm where cause = ${cause} returning 1`.execute(tx);
  return rows.length > 0;
}
