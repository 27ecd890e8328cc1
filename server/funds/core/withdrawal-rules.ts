import type { PayoutNetwork, WithdrawalBar, WithdrawalState } from '#contract/funds/withdrawals.ts';
import { formatDollars, formatRounded, toMicros } from '#contract/money.ts';
import { type WalletType, withdrawalRules } from '#contract/rules.ts';
import { english } from '#contract/texts.ts';

const { t } = english;

const MINIMUM_MICROS = toMicros(withdrawalRules.minimumDollars);
export const dayLimitMicros = toMicros(withdrawalRules.dayLimitDollars);
export const twoOperatorsFromMicros = toMicros(withdrawalRules.twoOperatorsFromDollars);
const WAIT_MS = withdrawalRules.waitHours * 3_600_000;
const BPS = 10_000n;

/** Withdrawal terms of a fee plan. */
export type WithdrawalFee = { readonly bps: number; readonly minimumMicros: bigint };

/**
 * The withdrawal fee: a share of the amount, rounded down, but at least the minimum (docs/product.md, sections 2 and
 * 5). At 1 % with a minimum of $1: $10 cost $1, $100 cost $1, and $123.456789 cost $1.234567.
 */
export function withdrawalFeeOf(amountMicros: bigint, fee: WithdrawalFee): bigint {
  const share = (amountMicros * BigInt(fee.bps)) / BPS;
  return share > fee.minimumMicros ? share : fee.minimumMicros;
}

/** Whether a wallet's balance is less than the smallest withdrawal. */
export const isTooLittle = (balanceMicros: bigint): boolean => balanceMicros < MINIMUM_MICROS;

/**
 * The refusal of an amount regardless of the wallet's balance, or undefined. `liveMicros` is the sum requested earlier
 * on the same UTC day and not rejected, cancelled or failed. With $9,990 of it, $10 are allowed and $10.000001 are
 * `withdrawal_day_limit`; $9.99 are `withdrawal_out_of_limits`, and so is an amount not above its fee.
 */
export function amountRefusal(
  amountMicros: bigint,
  feeMicros: bigint,
  liveMicros: bigint,
): 'withdrawal_out_of_limits' | 'withdrawal_day_limit' | undefined {
  if (isTooLittle(amountMicros) || feeMicros >= amountMicros) return 'withdrawal_out_of_limits';
  if (liveMicros + amountMicros > dayLimitMicros) return 'withdrawal_day_limit';
  return undefined;
}

/**
 * Number of different operators who have to approve, by the sum a member requested on one UTC day (docs/product.md,
 * section 5): 1 below $5,000, else 2. The daily sum counts, so splitting an amount does not avoid the second approval.
 * `approvalsNeeded(4_999_999_999n) === 1`, `approvalsNeeded(5_000_000_000n) === 2`
 */
export const approvalsNeeded = (daySumMicros: bigint): 1 | 2 => (daySumMicros >= twoOperatorsFromMicros ? 2 : 1);

type GivenApproval = { readonly operatorId: bigint; readonly counts: boolean };

/**
 * Number of approvals still missing before a payout. An approval no longer counts once its operator is disabled, reset
 * or moved to another role. A withdrawal that was approved for the daily sum at the time is not held because the sum
 * grew later, so an approved one needs no more than it was given.
 *
 * Requested, $6,000 that day, one valid approval: 1. Approved by one operator when the day stood at $3,000, now $6,000:
 * 0, or 1 when that approval no longer counts.
 */
export function approvalsMissing(withdrawal: {
  readonly isApproved: boolean;
  readonly daySumMicros: bigint;
  readonly approvals: readonly GivenApproval[];
}): number {
  const { isApproved, daySumMicros, approvals } = withdrawal;
  const given = new Set(approvals.map((approval) => approval.operatorId)).size;
  const counted = new Set(approvals.filter(({ counts }) => counts).map((approval) => approval.operatorId)).size;
  const needed = isApproved ? Math.min(approvalsNeeded(daySumMicros), given) : approvalsNeeded(daySumMicros);
  return Math.max(needed - counted, 0);
}

/**
 * When an address can be paid: 24 hours after it was saved, or after the last change of password, email address or
 * second factor, whichever is later (docs/product.md, section 5). Saved on Monday 10:00 and the password changed on
 * Monday 16:00: Tuesday 16:00.
 */
export function usableFrom(savedAt: Date, securityChangedAt: Date | null): Date {
  return new Date(Math.max(savedAt.getTime(), securityChangedAt?.getTime() ?? 0) + WAIT_MS);
}

/** Everything that can block a member's withdrawals. */
export type WithdrawalConditions = {
  readonly isFrozen: boolean;
  readonly areWithdrawalsFrozen: boolean;
  /** In live mode: no operator has marked the member as verified. */
  readonly lacksVerification: boolean;
  /** For the current address; null without one. */
  readonly usableFrom: Date | null;
};

/** A restriction, with its end when that is known. */
export type Restriction = { readonly code: WithdrawalBar; readonly until: Date | null };

/**
 * The first restriction in the order of refusal (`withdrawalBars`), or undefined. A frozen member without an address
 * gets `account_frozen`; with an address usable from 16:00, 15:59 gets `withdrawal_waiting` and 16:00 no restriction.
 */
export function restrictionOf(conditions: WithdrawalConditions, now: Date): Restriction | undefined {
  if (conditions.isFrozen) return { code: 'account_frozen', until: null };
  if (conditions.areWithdrawalsFrozen) return { code: 'withdrawals_frozen', until: null };
  if (conditions.lacksVerification) return { code: 'not_verified', until: null };
  if (conditions.usableFrom === null) return { code: 'address_missing', until: null };
  if (now < conditions.usableFrom) return { code: 'withdrawal_waiting', until: conditions.usableFrom };
  return undefined;
}

/** The UTC day of an instant, as it is stored: `utcDayOf(new Date('2026-03-04T23:59:59Z')) === '2026-03-04'` */
export const utcDayOf = (instant: Date): string => instant.toISOString().slice(0, 10);

type PayTo = { readonly network: PayoutNetwork; readonly address: string };
type Outgoing = PayTo & { readonly amountMicros: bigint; readonly wallet: WalletType };

/** What a code confirms: `details` identify the operation, `what` describes it in the email. */
export type ConfirmedOperation = { readonly details: string; readonly what: string };

/**
 * The withdrawal that a code is bound to: another amount, wallet or address is another operation. $250.50 from the
 * primary wallet to TJRabPrw… has the details `250500000/primary/TRC20/TJRabPrw…` and reads "a withdrawal of $250.50
 * from your Primary Wallet to the TRC20 address TJRa bPrw …".
 */
export const withdrawalOperation = ({ amountMicros, wallet, network, address }: Outgoing): ConfirmedOperation => ({
  details: `${amountMicros}/${wallet}/${network}/${address}`,
  what: t`a withdrawal of ${formatDollars(amountMicros)} from your ${walletNames[wallet]} to the ${network} address ${inGroups(address)}`,
});

/** The change of address that a code is bound to: `TRC20/TJRabPrw…`. */
export const addressOperation = ({ network, address }: PayTo): ConfirmedOperation => ({
  details: `${network}/${address}`,
  what: t`the ${network} address ${inGroups(address)} for all further withdrawals`,
});

export const walletNames: Readonly<Record<WalletType, string>> = {
  primary: t`Primary Wallet`,
  profit: t`Profit Wallet`,
};

/** Groups of four characters, easier to compare: `inGroups('TJRabPrw') === 'TJRa bPrw'`. */
export const inGroups = (address: string): string => address.replaceAll(/.{4}(?=.)/g, '$& ');

export type PayoutWay = 'gateway' | 'hand';

/** The allowed transitions (docs/product.md, section 5). */
const moves: Readonly<Record<WithdrawalState, readonly WithdrawalState[]>> = {
  requested: ['approved', 'cancelled', 'rejected'],
  approved: ['sent', 'uncertain', 'failed', 'rejected'],
  sent: ['completed', 'failed', 'uncertain'],
  uncertain: ['sent', 'completed', 'failed'],
  completed: [],
  cancelled: [],
  rejected: [],
  failed: [],
};

/** What a transition does with the held amount. */
export type HoldOutcome = 'kept' | 'paid' | 'released';

/**
 * The outcome of a transition for the hold, or undefined when it is not allowed. The hold stays until `completed` pays
 * it out or `cancelled`, `rejected` or `failed` releases it (docs/product.md, section 5). Once a payout has begun, by
 * the gateway or by hand, the withdrawal can no longer be rejected, as money may be in transit; before, it can be
 * neither `sent` nor `uncertain`. Only a gateway's payout fails without having been sent.
 *
 * `moveOf({ state: 'requested', payoutWay: null }, 'approved') === 'kept'`, with `'completed'` it is undefined;
 * `moveOf({ state: 'approved', payoutWay: 'hand' }, 'rejected')` is undefined, without a way `'released'`.
 */
export function moveOf(
  from: { readonly state: WithdrawalState; readonly payoutWay: PayoutWay | null },
  to: WithdrawalState,
): HoldOutcome | undefined {
  if (!moves[from.state].includes(to)) return undefined;
  if (from.state === 'approved' && (to === 'rejected') !== (from.payoutWay === null)) return undefined;
  if (from.state === 'approved' && to === 'failed' && from.payoutWay !== 'gateway') return undefined;
  if (to === 'completed') return 'paid';
  return releasing.includes(to) ? 'released' : 'kept';
}

const releasing: readonly WithdrawalState[] = ['cancelled', 'rejected', 'failed'];

/** States in which the amount is in `withdrawal_hold`. */
export const openWithdrawalStates = ['requested', 'approved', 'sent', 'uncertain'] as const;

/** States that do not count against the daily limit. */
export const releasedWithdrawalStates = ['cancelled', 'rejected', 'failed'] as const;

/** A device is new for 24 hours, the same time that a new address has to wait (docs/product.md, section 5). */
const NEW_MS = 24 * 3_600_000;

/**
 * Whether any device was first seen within the 24 hours before `at`; null when none was seen by then. Any new device
 * counts, because the device that requested a withdrawal is not stored.
 *
 * First seen on 1 and 3 March at 12:00: true at 4 March 11:00, 23 hours later, and false at 4 March 12:00.
 */
export function hasNewDevice(firstSeen: readonly Date[], at: Date): boolean | null {
  const ages = firstSeen.map((seenAt) => at.getTime() - seenAt.getTime()).filter((ageMs) => ageMs >= 0);
  return ages.length === 0 ? null : Math.min(...ages) < NEW_MS;
}

export type MemberNotice = {
  readonly kind: string;
  readonly message: string;
  readonly mail?: { readonly subject: string; readonly text: string };
};

/** The fields of a withdrawal that its notifications use. */
export type NoticedWithdrawal = {
  readonly reference: string;
  readonly state: WithdrawalState;
  readonly amount_micros: bigint;
  readonly fee_micros: bigint;
  readonly network: PayoutNetwork;
  readonly address: string;
  readonly transaction: string | null;
  readonly note: string | null;
};

/**
 * The member's notification of a withdrawal's new state, in the drawer and by email; a cancellation, their own action,
 * is not emailed. $100 completed at a fee of $1 reads "Your withdrawal WD-7M2QX4 is complete: $99.00 was paid out to
 * your TRC20 address."
 */
export function withdrawalNotice(row: NoticedWithdrawal): MemberNotice {
  const { reference, network, address } = row;
  const amount = formatRounded(row.amount_micros);
  const net = formatRounded(row.amount_micros - row.fee_micros);
  const back = t`${amount} is back in your wallet.`;
  const because = row.note === null ? '' : ` ${t`Reason: ${asSentence(row.note)}`}`;
  switch (row.state) {
    case 'requested':
      return mailed(
        row,
        t`Withdrawal requested: ${reference}`,
        t`You requested withdrawal ${reference} of ${amount}. Once it is approved, ${net} will be paid out to your ${network} address.`,
        t`Address: ${address}`,
        t`If this was not you, change your password now, then open Query and write to support.`,
      );
    case 'approved':
      return silent(row, t`Your withdrawal ${reference} of ${amount} was approved and will be paid out.`);
    case 'sent':
      return mailed(
        row,
        t`Withdrawal sent: ${reference}`,
        t`Your withdrawal ${reference} was sent: ${net} to your ${network} address.`,
        t`Address: ${address}`,
        ...hashLine(row),
      );
    case 'completed':
      return mailed(
        row,
        t`Withdrawal completed: ${reference}`,
        t`Your withdrawal ${reference} is complete: ${net} was paid out to your ${network} address.`,
        t`Address: ${address}`,
        ...hashLine(row),
      );
    case 'uncertain':
      return silent(
        row,
        t`Your withdrawal ${reference} takes longer. Our team is checking with the payment gateway whether it was sent. The amount stays on hold until then.`,
      );
    case 'cancelled':
      return silent(row, t`You cancelled your withdrawal ${reference}. ${back}`);
    case 'rejected':
      return mailed(
        row,
        t`Withdrawal rejected: ${reference}`,
        t`Your withdrawal ${reference} was rejected. ${back}${because}`,
      );
    case 'failed':
      return mailed(row, t`Withdrawal failed: ${reference}`, t`Your withdrawal ${reference} failed. ${back}${because}`);
  }
}

const silent = (row: NoticedWithdrawal, message: string): MemberNotice => ({
  kind: `withdrawal_${row.state}`,
  message,
});

const mailed = (row: NoticedWithdrawal, subject: string, message: string, ...more: string[]): MemberNotice => ({
  ...silent(row, message),
  mail: { subject, text: `${[message, ...more].join('\n\n')}\n` },
});

const hashLine = (row: NoticedWithdrawal): string[] =>
  row.transaction === null ? [] : [t`Transaction: ${row.transaction}`];

/** Text of an operator or gateway, with a full stop if it lacks one. */
const asSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
