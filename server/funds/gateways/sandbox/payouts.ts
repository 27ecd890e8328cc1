import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { PayoutNetwork } from '#contract/funds/withdrawals.ts';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import { findRow, getRow } from '#server/db/rows.ts';
import type { OperatorPayouts, Payout, PayoutOrder } from '../gateway.ts';

/** Simulated confirmation time, long enough to see the intermediate state. */
const COMPLETES_AFTER_MS = 5_000;

/** The sandbox gateway's payouts, on every network: rows in its own table, without real money. */
export const sandboxPayouts = (context: Context): OperatorPayouts => ({
  canPay: () => true,
  createPayout: (order) => createSandboxPayout(context, order),
  findPayout: async (order) => show(context, await findSandboxPayoutByReference(context.db, order.reference), order),
  getPayout: async (payoutId, order) => show(context, await findSandboxPayoutById(context.db, payoutId), order),
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
  return payoutOf(row, order);
}

/** Completes a due payout on read, like invoices that expire. */
async function show(
  context: Context,
  row: SandboxPayoutRow | undefined,
  order: PayoutOrder,
): Promise<Payout | undefined> {
  if (row === undefined) return undefined;
  const isDue = context.now() >= row.completes_at;
  const after = isDue ? await completeSandboxPayout(context.db, row.id, randomBytes(32).toString('hex')) : row;
  return payoutOf(after, order);
}

const payoutOf = (row: SandboxPayoutRow, order: PayoutOrder): Payout => ({
  id: row.id,
  state: stateOf(row, order),
  transaction: row.transaction,
  units: null,
  networkFeeMicros: null,
});

function stateOf({ state, network, address, amount_micros }: SandboxPayoutRow, order: PayoutOrder): Payout['state'] {
  if (state === 'Cancelled') return 'cancelled';
  const isAsOrdered = network === order.network && address === order.address && amount_micros === order.amountMicros;
  if (!isAsOrdered) return 'uncertain';
  return state === 'Completed' ? 'completed' : 'waiting';
}

type SandboxPayoutRow = {
  readonly id: string;
  readonly reference: string;
  readonly network: PayoutNetwork;
  readonly address: string;
  readonly amount_micros: bigint;
  readonly state: 'AwaitingPayment' | 'InProgress' | 'Completed' | 'Cancelled';
  readonly transaction: string | null;
  readonly created_at: Date;
  readonly completes_at: Date;
};

const columns = sql`id, reference, network, address, amount_micros, state, transaction, created_at, completes_at`;

const insertSandboxPayout = (db: Db, row: Omit<SandboxPayoutRow, 'state' | 'transaction'>) =>
  getRow(db)<SandboxPayoutRow>`
    insert into funds.sandbox_payout (${columns})
    values (${row.id}, ${row.reference}, ${row.network}, ${row.address}, ${row.amount_micros}, 'AwaitingPayment', null,
            ${row.created_at}, ${row.completes_at})
    returning ${columns}`;

const findSandboxPayoutById = (db: Db, id: string) =>
  findRow(db)<SandboxPayoutRow>`
    select ${columns} from funds.sandbox_payout where id = ${id}`;

/** The first payout of a reference; like real gateways, this one accepts duplicates. */
const findSandboxPayoutByReference = (db: Db, reference: string) =>
  findRow(db)<SandboxPayoutRow>`
    select ${columns} from funds.sandbox_payout where reference = ${reference}
    order by created_at, id limit 1`;

/** The first read after its due time stores the transaction; later ones return the same. */
async function completeSandboxPayout(db: Db, id: string, transaction: string): Promise<SandboxPayoutRow> {
  await sql`
    update funds.sandbox_payout set state = 'Completed', transaction = ${transaction}
    where id = ${id} and state in ('AwaitingPayment', 'InProgress')`.execute(db);
  return (await findSandboxPayoutById(db, id)) as SandboxPayoutRow;
}
