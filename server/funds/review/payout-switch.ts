import type { DataOf } from '#contract/endpoint.ts';
import type { OperatorCode } from '#contract/fields.ts';
import type { operatorPayouts } from '#contract/funds/review.ts';
import { findOperator, findPayoutNeeds, operators } from '#server/accounts/index.ts';
import { actingAs, decide, type OperatorActor } from '#server/approvals/index.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { execute, getRow } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import { findPayoutSwitch, type PayoutSwitch } from '../withdrawals/payout-guard.ts';
import { payerRoles } from './approvals.ts';

export async function getPayoutSwitch(context: Context): Promise<DataOf<typeof operatorPayouts.getPayoutSwitch>> {
  const { db } = context;
  const { stopped_at, stopped_by, why } = await findPayoutSwitch(db);
  const found = await findPayoutNeeds(context, db);
  const needs = found && {
    legal_contact: found.hasContact,
    confirmed_admins: found.confirmedAdmins,
    needed_admins: found.neededAdmins,
  };
  if (stopped_at === null) return { stopped: false, at: null, operator: null, why: null, needs };
  const operator = stopped_by === null ? undefined : await findOperator(db, stopped_by);
  return { stopped: true, at: stopped_at.toISOString(), operator: operator?.name ?? null, why, needs };
}

/** The switch without names of operators, for metrics, which contain no personal data. */
export async function getPayoutStop({ db }: Context): ReturnType<typeof getPayoutSwitch> {
  const { stopped_at, why } = await findPayoutSwitch(db);
  if (stopped_at === null) return { stopped: false, at: null, operator: null, why: null, needs: null };
  return { stopped: true, at: stopped_at.toISOString(), operator: null, why, needs: null };
}

type SwitchChange = {
  readonly stopped: boolean;
  readonly why: string;
  /** Second factor, required to resume payouts but not to stop them: a stop must never wait for a phone. */
  readonly otp?: OperatorCode;
};

/**
 * Stops or resumes all payouts (docs/product.md, section 5). Waits for transactions inside the payout guard; once a
 * stop commits, nothing passes the guard. Stopping again keeps the first operator and time. Payouts cannot be resumed
 * during an integrity alarm.
 *
 * Refuses `books_wrong`, and to resume payouts whatever `decide` refuses.
 */
export async function setPayoutSwitch(context: Context, actor: OperatorActor, change: SwitchChange): Promise<void> {
  const execute = (tx: Tx, before: PayoutSwitch) => changeSwitch(tx, context, actor, before, change);
  if (change.stopped) return inTransaction(context.db, async (tx) => execute(tx, await lockPayoutSwitch(tx)));
  return decide(context, actor, {
    operators,
    roles: payerRoles,
    otp: change.otp,
    precheck: async (db) => refuseUnderAlarm(await findPayoutSwitch(db)),
    lock: async (tx) => refuseUnderAlarm(await lockPayoutSwitch(tx)),
    execute,
  });
}

async function changeSwitch(
  tx: Tx,
  context: Context,
  actor: OperatorActor,
  before: PayoutSwitch,
  { stopped, why }: SwitchChange,
): Promise<void> {
  const isStopped = before.stopped_at !== null;
  if (isStopped === stopped) return;
  await updatePayoutSwitch(tx, stopped ? { at: context.now(), by: actor.operatorId, why } : undefined);
  await writeAudit(tx, {
    ...actingAs(actor),
    action: stopped ? 'payouts.stop' : 'payouts.go_on',
    subject: 'payouts',
    before: { stopped: isStopped, why: before.why },
    after: { stopped, why },
  });
}

function refuseUnderAlarm(found: PayoutSwitch): PayoutSwitch {
  if (found.alarm !== null) throw new Refused('books_wrong');
  return found;
}

/**
 * Raises an integrity alarm: stops payouts, without an operator's name, and blocks resuming them. The caller writes the
 * audit entry. If payouts are already stopped, the operator, time and reason are kept.
 */
export async function raisePayoutAlarm(tx: Tx, why: string, at: Date): Promise<void> {
  await lockPayoutSwitch(tx);
  await updatePayoutAlarm(tx, { why, at });
}

/** Clears the alarm; payouts stay stopped until an operator resumes them. */
export async function clearPayoutAlarm(tx: Tx): Promise<void> {
  await lockPayoutSwitch(tx);
  await updatePayoutAlarm(tx, undefined);
}

/** Waits for transactions inside the payout guard, and keeps others out until the transaction ends. */
const lockPayoutSwitch = (tx: Tx) =>
  getRow(tx)<PayoutSwitch>`
    select stopped_at, stopped_by, why, alarm from funds.payout_switch for update`;

/** Undefined resumes payouts. */
const updatePayoutSwitch = (
  tx: Tx,
  stop: { readonly at: Date; readonly by: bigint; readonly why: string } | undefined,
) =>
  execute(tx)`
    update funds.payout_switch
    set stopped_at = ${stop?.at ?? null}, stopped_by = ${stop?.by ?? null}, why = ${stop?.why ?? null}`;

/** Sets or clears (undefined) the alarm. Keeps the operator who stopped payouts first. */
async function updatePayoutAlarm(
  tx: Tx,
  alarm: { readonly at: Date; readonly why: string } | undefined,
): Promise<void> {
  const { at, why } = alarm ?? { at: null, why: null };
  await execute(tx)`
    update funds.payout_switch set alarm = ${why}::text, stopped_at = coalesce(stopped_at, ${at}), why = coalesce(why, ${why})`;
}
