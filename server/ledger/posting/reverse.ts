import assert from 'node:assert';
import type { Tx } from '#server/db/connect.ts';
import { type PostedTransfer, postChecked } from './post.ts';
import { findTransfer } from './sql.ts';

/**
 * Takes a transfer back by its exact opposite: same amount, accounts exchanged, once; a reversal itself cannot be
 * reversed (docs/product.md, section 2, "Reversals"). Reversing a deposit of 100 $ moves 100 $ from the primary wallet
 * to the gateway.
 *
 * @throws Refused insufficient_funds when the member no longer has the money
 */
export async function reverse(
  tx: Tx,
  reversal: { transferId: bigint; key: string; reference: string; marketAt: Date; note?: string },
): Promise<PostedTransfer> {
  const transfer = await findTransfer(tx, reversal.transferId);
  assert(transfer, `transfer ${reversal.transferId} does not exist`);
  const [posted] = await postChecked(tx, [
    {
      key: reversal.key,
      fromAccount: transfer.to_account,
      toAccount: transfer.from_account,
      amountMicros: transfer.amount,
      reason: 'reversal',
      reference: reversal.reference,
      marketAt: reversal.marketAt,
      note: reversal.note ?? null,
      reverses: reversal.transferId,
    },
  ]);
  assert(posted);
  return posted;
}
