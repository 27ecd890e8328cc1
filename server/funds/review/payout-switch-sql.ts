import { sql } from 'kysely';
import type { Tx } from '#server/db/connect.ts';
import type { PayoutSwitch } from '../withdrawals/withdrawal-bar-sql.ts';

/** Waits for everything that is passing the gate, and keeps it shut until the transaction ends. */
export async function lockPayoutSwitch(tx: Tx): Promise<PayoutSwitch> {
  const { rows } = await sql<PayoutSwitch>`
    select stopped_at, stopped_by, why, alarm from funds.payout_switch for update`.execute(tx);
  return rows[0] as PayoutSwitch;
}

/** Undefined lets payouts go on. */
export async function updatePayoutSwitch(
  tx: Tx,
  stop: { readonly at: Date; readonly by: bigint; readonly why: string } | undefined,
): Promise<void> {
  await sql`
    update funds.payout_switch
    set stopped_at = ${stop?.at ?? null}, stopped_by = ${stop?.by ?? null}, why = ${stop?.why ?? null}`.execute(tx);
}

/** What stands in the way of payouts by the books; undefined when nothing does any more. Who stopped them first stays. */
export async function updatePayoutAlarm(
  tx: Tx,
  alarm: { readonly at: Date; readonly why: string } | undefined,
): Promise<void> {
  const { at, why } = alarm ?? { at: null, why: null };
  await sql`
    update funds.payout_switch set alarm = ${why}::text, stopped_at = coalesce(stopped_at, ${at}), why = coalesce(why, ${why})`.execute(
    tx,
  );
}
