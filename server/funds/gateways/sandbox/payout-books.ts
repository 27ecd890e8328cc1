import { randomBytes } from 'node:crypto';
import type { Context } from '#server/context.ts';
import type { Payout, PayoutDesk, PayoutOrder } from '../gateway.ts';
import {
  completeSandboxPayout,
  findSandboxPayoutById,
  findSandboxPayoutByReference,
  insertSandboxPayout,
  type SandboxPayoutRow,
} from './payout-sql.ts';

/** A payment in a chain takes a while; this long, so that whoever tests sees the state between. */
const COMPLETES_AFTER_MS = 5_000;

/** The sandbox gateway's payouts: entries in books of its own, on every network, and nothing leaves. */
export const sandboxPayouts = (context: Context): PayoutDesk => ({
  canPay: () => true,
  createPayout: (order) => createSandboxPayout(context, order),
  findPayout: async (reference) => show(context, await findSandboxPayoutByReference(context.db, reference)),
  getPayout: async (payoutId) => show(context, await findSandboxPayoutById(context.db, payoutId)),
});

async function createSandboxPayout(context: Context, order: PayoutOrder): Promise<Payout> {
  const now = context.now();
  const row = await insertSandboxPayout(context.db, {
    id: randomBytes(16).toString('base64url'),
    reference: order.reference,
    network: order.network,
    address: order.address,
    amount_micros: order.amountMicros,
    created_at: now,
    completes_at: new Date(now.getTime() + COMPLETES_AFTER_MS),
  });
  return payoutOf(row);
}

/** Looking is enough to notice that its time has come, as with invoices that expire. */
async function show(context: Context, row: SandboxPayoutRow | undefined): Promise<Payout | undefined> {
  if (row === undefined) return undefined;
  const isDue = stateOf(row) === 'waiting' && context.now() >= row.completes_at;
  return payoutOf(isDue ? await completeSandboxPayout(context.db, row.id, randomBytes(32).toString('hex')) : row);
}

const payoutOf = (row: SandboxPayoutRow): Payout => ({ id: row.id, state: stateOf(row), transaction: row.transaction });

function stateOf({ state }: SandboxPayoutRow): Payout['state'] {
  if (state === 'Completed') return 'completed';
  return state === 'Cancelled' ? 'cancelled' : 'waiting';
}
