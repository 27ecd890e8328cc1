import assert from 'node:assert';
import type { BodyOf } from '#contract/endpoint.ts';
import type { Withdrawal, withdrawals } from '#contract/funds/withdrawals.ts';
import { toMicros } from '#contract/money.ts';
import type { RefusalCode } from '#contract/refusals.ts';
import type { WalletType } from '#contract/rules.ts';
import {
  claimOtpTry,
  consumeOtp,
  consumeSecondFactor,
  lockWithdrawer,
  notifySecurity,
  precheckSecondFactor,
  type Withdrawer,
} from '#server/accounts/index.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { findReply, type Once, refuseOnce, runOnce } from '#server/db/tx.ts';
import { findFeePlans } from '#server/fee-plans/index.ts';
import { getBalances, post } from '#server/ledger/index.ts';
import { getMarketTime } from '#server/market/index.ts';
import { insertUnderNewReference } from '#server/random-text.ts';
import { Refused } from '#server/refused.ts';
import {
  amountRefusal,
  dayLimitMicros,
  utcDayOf,
  withdrawalFeeOf,
  withdrawalNotice,
  withdrawalOperation,
} from '../core/withdrawal-rules.ts';
import { type AddressRow, findEligibility, readWithdrawer } from './payout-guard.ts';
import {
  addToDay,
  findDaySum,
  insertStep,
  insertWithdrawal,
  showWithdrawal,
  type WithdrawalRow,
} from './withdrawal.ts';

/**
 * Requests a withdrawal (docs/product.md, section 5). The checks, the use of the code and the hold are one transaction,
 * so there is never a used code without a withdrawal, nor a withdrawal without its hold. Earlier refusals do not count
 * as an attempt at the code; attempts are counted in their own transaction, so that they survive a rollback.
 *
 * A repeated `Idempotency-Key` is answered before any check: a refusal found before the transaction is thrown only when
 * the key is new.
 *
 * @param networkAddress IP address of the request, for the audit log
 * @throws Refused in this order: account_frozen, withdrawals_frozen, not_verified, address_missing, withdrawal_waiting,
 * withdrawal_out_of_limits, withdrawal_day_limit, insufficient_funds, withdrawal_fee_changed, second_factor_required,
 * wrong_second_factor, wrong_otp
 */
export async function requestWithdrawal(
  context: Context,
  memberId: bigint,
  input: BodyOf<typeof withdrawals.requestWithdrawal>,
  once?: Once,
  networkAddress?: string,
): Promise<Withdrawal> {
  const { db } = context;
  const stored = once && (await findReply(db, once));
  if (stored) return stored.reply as Withdrawal;

  const agreedFeeMicros = input.fee === undefined ? undefined : toMicros(input.fee);
  const order = { memberId, amountMicros: toMicros(input.amount), agreedFeeMicros, wallet: input.wallet_type };
  const { refusal } = await checkWithdrawal(db, context, await readWithdrawer(db, memberId), order);
  if (refusal !== undefined) return refuseOnce(db, once, new Refused(refusal));
  await precheckSecondFactor(context, memberId, input.second_factor);
  const attempt = { memberId, purpose: 'withdrawal', now: context.now() } as const;
  if (!(await claimOtpTry(db, attempt))) return refuseOnce(db, once, new Refused('wrong_otp'));

  return runOnce(db, once, async (tx) => {
    const row = await admitWithdrawal(tx, context, order);
    await consumeSecondFactor(context, tx, memberId, input.second_factor);
    const { details } = withdrawalOperation({ ...order, network: row.network, address: row.address });
    if (!(await consumeOtp(tx, { ...attempt, details, otp: input.otp }))) throw new Refused('wrong_otp');
    await holdWithdrawal(tx, context, row, networkAddress);
    return showWithdrawal(row);
  });
}

/**
 * The first half of a request: inserts the withdrawal with the current fee and address. Locks the member, then the
 * daily sum, then the row. `holdWithdrawal` is the second half; both run in one transaction, and the code is used
 * between them.
 *
 * @throws Refused the restrictions of `withdrawalBars` in their order, withdrawal_out_of_limits, withdrawal_day_limit,
 * insufficient_funds, withdrawal_fee_changed
 */
export async function admitWithdrawal(tx: Tx, context: Context, order: WithdrawalOrder): Promise<WithdrawalRow> {
  const { memberId, amountMicros, wallet } = order;
  const withdrawer = await lockWithdrawer(tx, memberId);
  const checked = await checkWithdrawal(tx, context, withdrawer, order);
  if (checked.refusal !== undefined) throw new Refused(checked.refusal);

  const now = context.now();
  const requestedOn = utcDayOf(now);
  const dayMicros = await addToDay(tx, { memberId, day: requestedOn, amountMicros, limitMicros: dayLimitMicros });
  if (dayMicros === undefined) throw new Refused('withdrawal_day_limit');
  const { address, feeMicros, feePlanId } = checked;
  const payTo = { network: address.network, address: address.address };
  const draft = { memberId, wallet, amountMicros, feeMicros, feePlanId, ...payTo, requestedOn, now };
  return insertUnderNewReference('withdrawal', (reference) => insertWithdrawal(tx, { ...draft, reference }));
}

type WithdrawalOrder = {
  readonly memberId: bigint;
  readonly amountMicros: bigint;
  /** Another fee is refused; without one the current fee is taken. */
  readonly agreedFeeMicros?: bigint | undefined;
  readonly wallet: WalletType;
};

/** Address and fee of the withdrawal, or the first refusal. */
type Checked =
  | { readonly refusal: RefusalCode }
  | {
      readonly refusal: undefined;
      readonly address: AddressRow;
      readonly feeMicros: bigint;
      readonly feePlanId: number;
    };

/**
 * Checks an order before a code is emailed, before an attempt at the code is counted, and again under the locks of the
 * request: restrictions in the order of `withdrawalBars`, then limits, the wallet, and the agreed fee. Self-imposed
 * limits and pauses do not apply: they never keep money in (docs/product.md, section 8).
 */
export async function checkWithdrawal(
  db: Db,
  context: Context,
  withdrawer: Withdrawer,
  order: WithdrawalOrder,
): Promise<Checked> {
  const { memberId, amountMicros, agreedFeeMicros, wallet } = order;
  const { restriction, address } = await findEligibility(db, context, memberId, withdrawer);
  if (restriction !== undefined) return { refusal: restriction.code };
  assert(address !== undefined, 'without an address there is a restriction');

  const { current } = await findFeePlans(db);
  const feeMicros = withdrawalFeeOf(amountMicros, {
    bps: current.withdrawalFeeBps,
    minimumMicros: current.withdrawalFeeMin,
  });
  const refusal = amountRefusal(amountMicros, feeMicros, await findDaySum(db, memberId, utcDayOf(context.now())));
  if (refusal !== undefined) return { refusal };
  if ((await getBalances(db, memberId))[wallet] < amountMicros) return { refusal: 'insufficient_funds' };
  if (agreedFeeMicros !== undefined && agreedFeeMicros !== feeMicros) return { refusal: 'withdrawal_fee_changed' };
  return { refusal: undefined, address, feeMicros, feePlanId: current.id };
}

/**
 * The second half of a request: moves the whole amount from its wallet to `withdrawal_hold` and records the first step.
 *
 * @param networkAddress IP address of the request, for the audit log
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
    address: networkAddress,
  });
  const { mail, ...notice } = withdrawalNotice(row);
  assert(mail !== undefined, 'a request is emailed');
  await notifySecurity(context, tx, { memberId: row.member_id, ...notice, mail: () => mail });
}
