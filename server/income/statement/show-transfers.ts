import type { z } from 'zod';
import type { incomeTransfer } from '#contract/income.ts';
import { toDollars } from '#contract/money.ts';
import type { Db } from '#server/db/connect.ts';
import { listTransfersByKey } from '#server/ledger/index.ts';

/** Ledger transfers that paid a line, by key; empty when nothing was paid. */
export async function showTransfers(db: Db, keys: readonly string[]): Promise<z.output<typeof incomeTransfer>[]> {
  return (await listTransfersByKey(db, keys)).map((transfer) => ({
    id: transfer.id.toString(),
    reason: transfer.reason,
    from: transfer.from,
    to: transfer.to,
    amount: toDollars(transfer.amountMicros),
    created_at: transfer.createdAt.toISOString(),
  }));
}
