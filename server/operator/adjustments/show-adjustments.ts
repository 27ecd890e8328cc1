import { toDollars } from '#contract/money.ts';
import { type Adjustment, consoleAdjustments } from '#contract/operator/proposals.ts';
import { type Contact, listContacts } from '#server/accounts/index.ts';
import type { Db } from '#server/db/connect.ts';
import { listDeciders, showProposal } from '../show-proposal.ts';
import type { AdjustmentRow } from './adjustment-sql.ts';

/** Corrections with the names of everybody in them, in the order they are given. */
export async function showAdjustments(db: Db, rows: readonly AdjustmentRow[]): Promise<Adjustment[]> {
  const contacts = await listContacts(db, [...new Set(rows.map((row) => row.member_id))]);
  const deciders = await listDeciders(db, rows);
  return rows.map((row) => ({
    ...showProposal(row, deciders, consoleAdjustments.approveAdjustment.access),
    member: showMember(contacts.get(row.member_id) as Contact),
    transfer_id: row.transfer_id?.toString() ?? null,
    wallet_type: row.wallet,
    amount: toDollars(row.signed_micros),
    evidence: row.evidence,
  }));
}

export async function showAdjustment(db: Db, row: AdjustmentRow): Promise<Adjustment> {
  const [shown] = await showAdjustments(db, [row]);
  return shown as Adjustment;
}

const showMember = ({ id, referralCode, name }: Contact): Adjustment['member'] => ({
  id: id.toString(),
  referral_code: referralCode,
  name,
});
