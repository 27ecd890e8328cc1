import type { CsvCell } from '#contract/csv.ts';
import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import type { WithdrawalState, WithdrawalTerms, withdrawals } from '#contract/funds/withdrawals.ts';
import { toDollars } from '#contract/money.ts';
import { withdrawalRules } from '#contract/rules.ts';
import type { Context } from '#server/context.ts';
import { type TextFile, writeCsv } from '#server/csv-file.ts';
import { cutPage, readIdCursor } from '#server/cursor.ts';
import { findFeePlans } from '#server/fee-plans/index.ts';
import { dayLimitMicros, utcDayOf } from '../core/withdrawal-rules.ts';
import { chooseGateways } from '../gateways/choose-gateway.ts';
import type { Gateway } from '../gateways/gateway.ts';
import { findEstimator } from './network-fee.ts';
import { arePayoutsStopped, findEligibility, readWithdrawer } from './payout-guard.ts';
import { showAddress } from './save-address.ts';
import { findDaySum, listMemberWithdrawals, showWithdrawal, type WithdrawalRow } from './withdrawal.ts';

type ListWithdrawals = typeof withdrawals.listWithdrawals;

/** A page of the member's withdrawals, newest first. */
export async function listWithdrawals(
  context: Context,
  memberId: bigint,
  query: QueryOf<ListWithdrawals>,
): Promise<DataOf<ListWithdrawals>> {
  const after = readIdCursor(query.cursor);
  const { state, limit } = query;
  const found = await listMemberWithdrawals(context.db, { memberId, state, after, limit: limit + 1 });
  const { rows, nextCursor } = cutPage(found, limit, (row) => row.id);
  return { items: rows.map(showWithdrawal), next_cursor: nextCursor };
}

const head = [
  'Requested (UTC)',
  'Reference',
  'Amount (USD)',
  'Fee (USD)',
  'Paid out (USD)',
  'Wallet',
  'Network',
  'Address',
  'State',
  'Note',
  'Transaction',
  'Updated (UTC)',
];

/** The member's withdrawals as CSV, newest first, optionally of one state. */
export const writeWithdrawals = (
  { db }: Context,
  memberId: bigint,
  { state }: { readonly state?: WithdrawalState | undefined },
): TextFile => ({
  name: state === undefined ? 'withdrawals.csv' : `withdrawals-${state}.csv`,
  text: writeCsv(head, cellsOf, (last, limit) =>
    listMemberWithdrawals(db, { memberId, state, after: last?.id, limit }),
  ),
});

/** The amount paid out is only filled in for completed withdrawals. */
const cellsOf = (row: WithdrawalRow): CsvCell[] => [
  row.created_at.toISOString(),
  row.reference,
  row.amount_micros,
  row.fee_micros,
  row.state === 'completed' ? row.amount_micros - row.fee_micros : null,
  asTitle(row.wallet),
  row.network,
  row.address,
  asTitle(row.state),
  row.note,
  row.shown_transaction,
  row.updated_at.toISOString(),
];

const asTitle = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** The terms that a member needs before requesting a withdrawal (docs/product.md, section 5). */
export async function getWithdrawalTerms(
  context: Context,
  memberId: bigint,
  gateways: readonly Gateway[] = chooseGateways(context),
): Promise<WithdrawalTerms> {
  const { db, config } = context;
  const { restriction, address, usableFrom } = await findEligibility(
    db,
    context,
    memberId,
    await readWithdrawer(db, memberId),
  );
  const { current } = await findFeePlans(db);
  const usedMicros = await findDaySum(db, memberId, utcDayOf(context.now()));
  return {
    minimum: withdrawalRules.minimumDollars,
    day_limit: withdrawalRules.dayLimitDollars,
    day_left: toDollars(dayLimitMicros - usedMicros),
    fee_bps: current.withdrawalFeeBps,
    fee_minimum: toDollars(current.withdrawalFeeMin),
    address: address === undefined || usableFrom === null ? null : showAddress(address, usableFrom),
    bar: restriction === undefined ? null : { code: restriction.code, until: restriction.until?.toISOString() ?? null },
    payouts_stopped: await arePayoutsStopped(context),
    simulated: config.payments.includes('sandbox'),
    network_fee_estimated: address !== undefined && findEstimator(gateways, address.network) !== undefined,
  };
}
