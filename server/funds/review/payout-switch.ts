import { sql } from 'kysely';
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

/** The switch alone, without who turned it or who may: of people metrics read nothing. */
export async function getPayoutStop({ db }: Context): ReturnType<typeof getPayoutSwitch> {
  const { stopped_at, why } = await findPayoutSwitch(db);
  if (stopped_at === null) return { stopped: false, at: null, operator: null, why: null, needs: null };
  return { stopped: true, at: stopped_at.toISOString(), operator: null, why, needs: null };
}

type SwitchTurn = {
  readonly stopped: boolean;
  readonly why: string;
  /** The second factor; to let payouts go on, not to stop them: a stop must never wait for a phone. */
  readonly otp?: OperatorCode;
};

/**
 * Stops all payouts at once, or lets them go on (docs/product.md, section 5). It waits for what is passing the payout guard at
 * this moment; once it is done nothing passes any more. Stopping what is stopped keeps who did it first, and since
 * when. While an alarm of the books stands, nobody lets them go on.
 *
 * Refuses `books_wrong`, and to let payouts go on what every decision does.
 */
export async function setPayoutSwitch(context: Context, actor: OperatorActor, turn: SwitchTurn): Promise<void> {
  const execute = (tx: Tx, before: PayoutSwitch) => turnSwitch(tx, context, actor, before, turn);
  if (turn.stopped) return inTransaction(context.db, async (tx) => execute(tx, await lockPayoutSwitch(tx)));
  return decide(context, actor, {
    operators,
    roles: payerRoles,
    otp: turn.otp,
    precheck: async (db) => refuseUnderAlarm(await findPayoutSwitch(db)),
    lock: async (tx) => refuseUnderAlarm(await lockPayoutSwitch(tx)),
    execute,
  });
}

async function turnSwitch(
  tx: Tx,
  context: Context,
  actor: OperatorActor,
  before: PayoutSwitch,
  { stopped, why }: SwitchTurn,
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
 * The books are wrong: payouts stop, with nobody's name, and nobody lets them go on. The caller says it in the audit log. Of
 * payouts that are stopped already it keeps who did it, since when and why.
 */
export async function raisePayoutAlarm(tx: Tx, why: string, at: Date): Promise<void> {
  await lockPayoutSwitch(tx);
  await updatePayoutAlarm(tx, { why, at });
}

/** The books are right again: payouts stay stopped, until a person lets them go on. */
export async function clearPayoutAlarm(tx: Tx): Promise<void> {
  await lockPayoutSwitch(tx);
  await updatePayoutAlarm(tx, undefined);
}

/** Waits for everything that is passing the payout guard, and keeps it shut until the transaction ends. */
const lockPayoutSwitch = (tx: Tx) =>
  getRow(tx)<PayoutSwitch>`
    select stopped_at, stopped_by, why, alarm from funds.payout_switch for update`;

/** Undefined lets payouts go on. */
const updatePayoutSwitch = (
  tx: Tx,
  stop: { readonly at: Date; readonly by: bigint; readonly why: string } | undefined,
) =>
  execute(tx)`
    update funds.payout_switch
    set stopped_at = ${stop?.at ?? null}, stopped_by = ${stop?.by ?? null}, why = ${stop?.why ?? null}`;

/** What stands in the way of payouts by the books; undefined when nothing does any more. Who stopped them first stays. */
async function updatePayoutAlarm(
  tx: Tx,
  alarm: { readonly at: Date; readonly why: string } | undefined,
): Promise<void> {
  const { at, why } = alarm ?? { at: null, why: null };
  await sql`
    update funds.payout_switch set alarm = ${why}::text, stopped_at = coalesce(stopped_at, ${at}), why = coalesce(why, ${why})`.execute(
    tx,
  );
}
