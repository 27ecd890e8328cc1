import { listAdmins } from '#server/accounts/index.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, getValue, hasRow, listRows } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { clearPayoutAlarm, raisePayoutAlarm } from '#server/funds/index.ts';
import { emailOperators } from '#server/notify/index.ts';

/** Active alarms, oldest first; while there is one, payouts stay stopped. */
export const getAlarms = (db: Db): Promise<Alarm[]> =>
  listRows(db)`
    select cause, why, raised_at as "raisedAt" from integrity.alarm order by raised_at, cause`;

const system = { kind: 'system', id: null } as const;

/**
 * Stops payouts at the payout guard and emails every admin, once. Raising it again only updates the reason. Payouts
 * cannot be resumed while an alarm is active.
 *
 * @param why one sentence for operators; amounts and names of checks, no secrets
 */
export async function raiseAlarm(context: Context, cause: AlarmCause, why: string): Promise<void> {
  const raisedAt = context.now();
  const isNew = await inTransaction(context.db, async (tx) => {
    await lockAlarms(tx);
    const raised = await upsertAlarm(tx, { cause, why, raisedAt });
    await raisePayoutAlarm(tx, await reasonsOf(tx), raisedAt);
    if (!raised) return false;
    await writeAudit(tx, { actor: system, action: 'alarm.raise', subject: `alarm:${cause}`, after: { why } });
    await emailAdmins(context, tx, why);
    return true;
  });
  if (isNew) context.log.error({ alarm: cause, why }, 'payouts stopped');
}

/** The active alarm of a cause. */
export const findAlarm = async (db: Db, cause: AlarmCause): Promise<Alarm | undefined> =>
  (await getAlarms(db)).find((alarm) => alarm.cause === cause);

/**
 * Clears one alarm. Payouts stay stopped until an operator resumes them, which is possible once no alarm is left.
 *
 * @param alarm as read before the check that passed; an alarm raised meanwhile is kept
 */
export async function clearAlarm(context: Context, alarm: Alarm): Promise<void> {
  const { cause } = alarm;
  await inTransaction(context.db, async (tx) => {
    await lockAlarms(tx);
    if (!(await deleteAlarm(tx, alarm))) return;
    const left = await reasonsOf(tx);
    if (left === '') await clearPayoutAlarm(tx);
    else await raisePayoutAlarm(tx, left, context.now());
    await writeAudit(tx, { actor: system, action: 'alarm.clear', subject: `alarm:${cause}` });
  });
}

const reasonsOf = async (tx: Tx): Promise<string> => (await getAlarms(tx)).map(({ why }) => why).join(' ');

async function emailAdmins({ config }: Context, tx: Tx, why: string): Promise<void> {
  await emailOperators(tx, await listAdmins(tx), {
    subject: `${config.brandName}: payouts stopped`,
    text: `${why}\n\nPayouts are stopped. Weekly and monthly income is held. Trading sessions continue.\n\nOpen Overview in the console to see the cause. Payouts do not resume automatically: once the alarm is cleared, finance can resume them.\n`,
  });
}

export type AlarmCause = 'solvency' | 'integrity';
export type Alarm = { readonly cause: AlarmCause; readonly why: string; readonly raisedAt: Date };

/** Serializes raising and clearing alarms. */
const lockAlarms = (tx: Tx): Promise<void> => execute(tx)`lock table integrity.alarm in share row exclusive mode`;

/** False when it was already active: updates the reason but not the time. */
const upsertAlarm = (tx: Tx, { cause, why, raisedAt }: Alarm): Promise<boolean> =>
  getValue(tx)`
    insert into integrity.alarm (cause, why, raised_at) values (${cause}, ${why}, ${raisedAt})
    on conflict (cause) do update set why = excluded.why
    returning xmax = 0 as is_new`;

/** False when it was not active, or has changed. */
const deleteAlarm = (tx: Tx, { cause, why, raisedAt }: Alarm): Promise<boolean> =>
  hasRow(tx)`
    delete from integrity.alarm where cause = ${cause} and why = ${why} and raised_at = ${raisedAt} returning 1`;
