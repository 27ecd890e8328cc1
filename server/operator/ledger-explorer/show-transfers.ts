import { toDollars } from '#contract/money.ts';
import type { LedgerSeal, LedgerTransfer } from '#contract/operator/ledger.ts';
import { type Contact, listContacts } from '#server/accounts/index.ts';
import type { Db } from '#server/db/connect.ts';
import type { ExploredTransfer, ShownSeal, TransferSide } from '#server/ledger/index.ts';

/** Transfers with the names of the members they touch, in the order they are given. */
export async function showTransfers(db: Db, transfers: readonly ExploredTransfer[]): Promise<LedgerTransfer[]> {
  const ids = transfers.flatMap(({ from, to }) => [from.memberId, to.memberId]).filter((id) => id !== null);
  const contacts = await listContacts(db, [...new Set(ids)]);
  return transfers.map((transfer) => ({
    id: transfer.id.toString(),
    from: showSide(transfer.from, contacts),
    to: showSide(transfer.to, contacts),
    amount: toDollars(transfer.amountMicros),
    reason: transfer.reason,
    reference: transfer.reference,
    key: transfer.key,
    note: transfer.note,
    reverses: transfer.reverses?.toString() ?? null,
    market_at: transfer.marketAt.toISOString(),
    created_at: transfer.createdAt.toISOString(),
  }));
}

function showSide(side: TransferSide, contacts: ReadonlyMap<bigint, Contact>): LedgerTransfer['from'] {
  const contact = side.memberId === null ? undefined : contacts.get(side.memberId);
  return {
    account: side.account,
    member: contact ? { id: contact.id.toString(), referral_code: contact.referralCode, name: contact.name } : null,
    balance_after: side.balanceAfterMicros === null ? null : toDollars(side.balanceAfterMicros),
  };
}

export const showSeal = (seal: ShownSeal): LedgerSeal => ({
  no: seal.no.toString(),
  sealed_at: seal.sealedAt.toISOString(),
  transfers: Number(seal.transferCount),
  root: seal.root,
  previous_hash: seal.previousHash,
  hash: seal.hash,
});
