import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { post } from '#server/ledger/index.ts';
import { getMarketTime } from '#server/market/index.ts';
import { notifyMember } from '#server/notify/index.ts';
import { withdrawalNotice } from '../core/withdrawal-notice.ts';
import type { WithdrawalRow } from './withdrawal-sql.ts';
import { insertStep } from './withdrawal-step-sql.ts';

/**
 * The second half of a request: the whole amount moves from its wallet to `withdrawal_hold`, and the life of the
 * withdrawal begins.
 *
 * @param networkAddress where the request came from, for the audit log
 * @throws Refused insufficient_funds when the wallet was spent meanwhile
 */
export async function holdWithdrawal(
  tx: Tx,
  context: Context,
  row: WithdrawalRow,
  networkAddress?: string,
): Promise<void> {
  await post(tx, [
    {
      key: `withdrawal/${row.id}/hold`,
      from: { memberId: row.member_id, class: row.wallet },
      to: { memberId: row.member_id, class: 'withdrawal_hold' },
      amountMicros: row.amount_micros,
      reason: 'withdrawal_hold',
      reference: row.reference,
      marketAt: await getMarketTime(tx),
    },
  ]);
  await insertStep(tx, { withdrawalId: row.id, state: 'requested', note: null, now: context.now() });
  await writeAudit(tx, {
    actor: { kind: 'member', id: row.member_id },
    action: 'withdrawal.requested',
    subject: `withdrawal:${row.id}`,
    after: {
      reference: row.reference,
      amount_micros: row.amount_micros,
      fee_micros: row.fee_micros,
      wallet: row.wallet,
      network: row.network,
      address: row.address,
    },
    ...(networkAddress === undefined ? {} : { address: networkAddress }),
  });
  await notifyMember(tx, { memberId: row.member_id, ...withdrawalNotice(row) });
}
