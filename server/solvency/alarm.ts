import { sql } from 'kysely';
import { listAdmins } from '#server/accounts/index.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { clearPayoutAlarm, raisePayoutAlarm } from '#server/funds/index.ts';
import { queueMail } from '#server/notify/index.ts';

/** The alarms that stand, the oldest first; while there is one, payouts do not go on. */
export async function getAlarms(db: Db): Promise<Alarm[]> {
  const { rows } = await sql<Alarm>`
    select cause, why, raised_at as "raisedAt" from integrity.alarm order by raised_at, cause`.execute(db);
  return rows;
}

const system = { kind: 'system', id: null } as const;

/**
 * Something is wrong with the books: payouts stop at the one gate they all pass, and every admin gets a mail, once. Raising it
 * again only says what is wrong by now. Nobody lets payouts go on while it stands.
 *
 * @param why one sentence for operators; amounts and names of checks, no secrets
 */
export async function raiseAlarm(context: Context, cause: AlarmCause, why: string): Promise<void> {
  const raisedAt = context.now();
  const isNew = await inTransaction(context.db, async (tx) => {
    await lockAlarms(tx);
    const raised = await upsertAlarm(tx, { cause, why, raisedAt });
    await raisePayoutAlarm(tx, await wordsOf(tx), raisedAt);
    if (!raised) return false;
    await writeAudit(tx, { actor: system, action: 'alarm.raise', subject: `alarm:${cause}`, after: { why } });
    await mailAdmins(context, tx, why);
    return true;
  });
  if (isNew) context.log.error({ alarm: cause, why }, 'payouts stopped');
}

/**
 * The books are right again as far as this cause goes. Payouts stay stopped until a person lets them go on; without any alarm
 * left a person may.
 */
export async function clearAlarm(context: Context, cause: AlarmCause): Promise<void> {
  if (!(await getAlarms(context.db)).some((alarm) => alarm.cause === cause)) return;
  await inTransaction(context.db, async (tx) => {
    await lockAlarms(tx);
    if (!(await deleteAlarm(tx, cause))) return;
    const left = await wordsOf(tx);
    if (left === '') await clearPayoutAlarm(tx);
    else await raisePayoutAlarm(tx, left, context.now());
    await writeAudit(tx, { actor: system, action: 'alarm.clear', subject: `alarm:${cause}` });
  });
}

const wordsOf = async (tx: Tx): Promise<string> => (await getAlarms(tx)).map(({ why }) => why).join(' ');

async function mailAdmins({ config }: Context, tx: Tx, why: string): Promise<void> {
  for (const { name, email } of await listAdmins(tx)) {
    await queueMail(tx, {
      to: { name, address: email },
      subject: `${config.brandName}: payouts are stopped`,
      text: `${why}\n\nPayouts are stopped, and what weeks and months pay is held; sessions go on. Look at the overview of the console. Once the books are right again, payouts go on when somebody of finance lets them, and not by themselves.\n`,
    });
  }
}

export type AlarmCause = 'solvency' | 'integrity';
export type Alarm = { readonly cause: AlarmCause; readonly why: string; readonly raisedAt: Date };

/** Alarms are raised and taken back one after the other. */
async function lockAlarms(tx: Tx): Promise<void> {
  await sql`lock table integrity.alarm in share row exclusive mode`.execute(tx);
}

/** False when it stood already: then it says what is wrong by now, and since when stays. */
async function upsertAlarm(tx: Tx, { cause, why, raisedAt }: Alarm): Promise<boolean> {
  const { rows } = await sql<{ is_new: boolean }>`
    insert into integrity.alarm (cause, why, raised_at) values (${cause}, ${why}, ${raisedAt})
    on conflict (cause) do update set why = excluded.why
    returning xmax = 0 as is_new`.execute(tx);
  return rows[0]?.is_new === true;
}

/** False when it did not stand. */
async function deleteAlarm(tx: Tx, cause: AlarmCause): Promise<boolean> {
  const { rows } = await sql`delete from integrity.alarm where cause = ${cause} returning 1`.execute(tx);
  return rows.length > 0;
}
