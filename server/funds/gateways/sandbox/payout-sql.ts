import { sql } from 'kysely';
import type { PayoutNetwork } from '#contract/funds/withdrawals.ts';
import type { Db } from '#server/db/connect.ts';

export type SandboxPayoutRow = {
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

export async function insertSandboxPayout(
  db: Db,
  row: Omit<SandboxPayoutRow, 'state' | 'transaction'>,
): Promise<SandboxPayoutRow> {
  const { rows } = await sql<SandboxPayoutRow>`
    insert into funds.sandbox_payout (${columns})
    values (${row.id}, ${row.reference}, ${row.network}, ${row.address}, ${row.amount_micros}, 'AwaitingPayment', null,
            ${row.created_at}, ${row.completes_at})
    returning ${columns}`.execute(db);
  return rows[0] as SandboxPayoutRow;
}

export async function findSandboxPayoutById(db: Db, id: string): Promise<SandboxPayoutRow | undefined> {
  const { rows } = await sql<SandboxPayoutRow>`
    select ${columns} from funds.sandbox_payout where id = ${id}`.execute(db);
  return rows[0];
}

/** The first one made for a reference; like real gateways this one takes a second order for it without a word. */
export async function findSandboxPayoutByReference(db: Db, reference: string): Promise<SandboxPayoutRow | undefined> {
  const { rows } = await sql<SandboxPayoutRow>`
    select ${columns} from funds.sandbox_payout where reference = ${reference}
    order by created_at, id limit 1`.execute(db);
  return rows[0];
}

/** Whoever looks first after its time writes the payment; everybody later reads the same one. */
export async function completeSandboxPayout(db: Db, id: string, transaction: string): Promise<SandboxPayoutRow> {
  await sql`
    update funds.sandbox_payout set state = 'Completed', transaction = ${transaction}
    where id = ${id} and state in ('AwaitingPayment', 'InProgress')`.execute(db);
  return (await findSandboxPayoutById(db, id)) as SandboxPayoutRow;
}
