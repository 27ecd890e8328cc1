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

/** What a fee plan says about withdrawals. */
export type WithdrawalFee = { readonly bps: number; readonly minimumMicros: bigint };

/**
 * The fee of an amount: its share, rounded down, at least the minimum (docs/product.md, sections 2 and 5). At 1 % and
 * at least $1: $10 cost $1, $100 cost $1, and $123.456789 cost $1.234567.
 */
export function withdrawalFeeOf(amountMicros: bigint, fee: WithdrawalFee): bigint {
  const share = (amountMicros * BigInt(fee.bps)) / BPS;
  return share > fee.minimumMicros ? share : fee.minimumMicros;
}

/**
 * Why an amount cannot be withdrawn whatever the wallet holds, or undefined. `liveMicros` is what was asked for on the
 * same UTC day before and not rejected, cancelled or failed. With $9,990 of it, $10 are allowed and $10.000001 are
 * `withdrawal_day_limit`; $9.99 are `withdrawal_out_of_limits`, and so is what its own fee would eat.
 */
export function amountRefusal(
  amountMicros: bigint,
  feeMicros: bigint,
  liveMicros: bigint,
): 'withdrawal_out_of_limits' | 'withdrawal_day_limit' | undefined {
  if (amountMicros < MINIMUM_MICROS || feeMicros >= amountMicros) return 'withdrawal_out_of_limits';
  if (liveMicros + amountMicros > dayLimitMicros) return 'withdrawal_day_limit';
  return undefined;
}

/**
 * How many different operators have to approve, by the sum a member asked for on one UTC day (docs/product.md,
 * section 5): 1 under $5,000, else 2. The sum counts, not the single amount, so that splitting it changes nothing.
 * `approvalsNeeded(4_999_999_999n) === 1`, `approvalsNeeded(5_000_000_000n) === 2`
 */
export const approvalsNeeded = (daySumMicros: bigint): 1 | 2 => (daySumMicros >= twoOperatorsFromMicros ? 2 : 1);

type GivenApproval = { readonly operatorId: bigint; readonly counts: boolean };

/**
 * How many approvals a withdrawal still lacks before money may go out. An approval whose operator was disabled, reset or
 * moved to another role since does not count. What was approved by as many as its day asked for then is not held because
 * the day grew later, so an approved one needs no more than were given.
 *
 * Requested, $6,000 on its day, one approval that counts: 1. Approved by one when its day came to $3,000, now $6,000: 0,
 * and 1 when that one does not count any more.
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
 * From when on money goes out to an address: 24 hours after it was saved, or after the last change of password, email
 * address or second factor, whichever is later (docs/product.md, section 5). Saved on Monday 10:00 and the password
 * changed on Monday 16:00: Tuesday 16:00.
 */
export function usableFrom(savedAt: Date, securityChangedAt: Date | null): Date {
  return new Date(Math.max(savedAt.getTime(), securityChangedAt?.getTime() ?? 0) + WAIT_MS);
}

/** All that can stand in the way of a member's withdrawals. */
export type WithdrawalConditions = {
  readonly isFrozen: boolean;
  readonly areWithdrawalsFrozen: boolean;
  /** Live mode, and no operator set the flag. */
  readonly lacksVerification: boolean;
  /** Of the address in force; null without one. */
  readonly usableFrom: Date | null;
};

/** The first thing in the way, and until when when that is known. */
export type Restriction = { readonly code: WithdrawalBar; readonly until: Date | null };

/**
 * The first restriction in the order in which requests are refused (`withdrawalBars`), or undefined. Somebody who is frozen and
 * has no address reads `account_frozen`; with an address that waits until 16:00, at 15:59 `withdrawal_waiting` and at
 * 16:00 nothing.
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

/** What a code confirms: `details` in one form for the same operation, `what` for the member to read in the mail. */
export type ConfirmedOperation = { readonly details: string; readonly what: string };

/**
 * A withdrawal as its code is bound to it: another amount, wallet or address is another operation. $250.50 of the
 * primary wallet to TJRabPrw… has the details `250500000/primary/TRC20/TJRabPrw…` and reads "a withdrawal of $250.50
 * from your Primary Wallet to the TRC20 address TJRa bPrw …".
 */
export const withdrawalOperation = ({ amountMicros, wallet, network, address }: Outgoing): ConfirmedOperation => ({
  details: `${amountMicros}/${wallet}/${network}/${address}`,
  what: t`a withdrawal of ${formatDollars(amountMicros)} from your ${walletNames[wallet]} to the ${network} address ${inGroups(address)}`,
});

/** The saving of an address as its code is bound to it: `TRC20/TJRabPrw…`. */
export const addressOperation = ({ network, address }: PayTo): ConfirmedOperation => ({
  details: `${network}/${address}`,
  what: t`the ${network} address ${inGroups(address)} for all further withdrawals`,
});

export const walletNames: Readonly<Record<WalletType, string>> = {
  primary: t`Primary Wallet`,
  profit: t`Profit Wallet`,
};

/** Letters by four, as people compare them: `inGroups('TJRabPrw') === 'TJRa bPrw'`. */
export const inGroups = (address: string): string => address.replaceAll(/.{4}(?=.)/g, '$& ');

export type PayoutWay = 'gateway' | 'hand';

/** From each state the ones it can move to (docs/product.md, section 5). */
const moves: Readonly<Record<WithdrawalState, readonly WithdrawalState[]>> = {
  requested: ['approved', 'cancelled', 'rejected'],
  approved: ['sent', 'uncertain', 'rejected'],
  sent: ['completed', 'failed'],
  uncertain: ['sent', 'completed', 'failed'],
  completed: [],
  cancelled: [],
  rejected: [],
  failed: [],
};

/** What a move does with the held amount. */
export type HoldFate = 'kept' | 'paid' | 'released';

/**
 * Whether a withdrawal may move on to a state, and what becomes of its hold; undefined when it may not. The hold stays
 * until `completed` pays it out or `cancelled`, `rejected` or `failed` releases it (docs/product.md, section 5). One
 * that is being paid, by whom or what ever, cannot be rejected any more: money may be on its way. Nothing is sent, nor
 * is its outcome unknown, before somebody began to pay it.
 *
 * `moveOf({ state: 'requested', payoutWay: null }, 'approved') === 'kept'`, with `'completed'` it is undefined;
 * `moveOf({ state: 'approved', payoutWay: 'hand' }, 'rejected')` is undefined, without a way `'released'`.
 */
export function moveOf(
  from: { readonly state: WithdrawalState; readonly payoutWay: PayoutWay | null },
  to: WithdrawalState,
): HoldFate | undefined {
  if (!moves[from.state].includes(to)) return undefined;
  if (from.state === 'approved' && (to === 'rejected') !== (from.payoutWay === null)) return undefined;
  if (to === 'completed') return 'paid';
  return releasing.includes(to) ? 'released' : 'kept';
}

const releasing: readonly WithdrawalState[] = ['cancelled', 'rejected', 'failed'];

/** States in which the amount lies in `withdrawal_hold`. */
export const openWithdrawalStates = ['requested', 'approved', 'sent', 'uncertain'] as const;

/** States that do not count against the limit of their day. */
export const releasedWithdrawalStates = ['cancelled', 'rejected', 'failed'] as const;

/**
 * A device is new for a day: as long as a changed address waits before money goes to it (docs/product.md, section 5).
 */
const NEW_MS = 24 * 3_600_000;

/**
 * Whether any device was first seen within the 24 hours before an instant; null when none was seen by then. Which of a
 * member's devices asked for a withdrawal is not stored, so that every new one counts.
 *
 * First seen on 1 and 3 March at 12:00: new at 4 March 11:00, 23 hours later, and not at 4 March 12:00.
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

/** What the messages about a withdrawal say of it. */
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
 * What the member hears when a withdrawal has come to a state, in the drawer and by email; a cancellation is their own
 * doing and is not mailed. $100 at a fee of $1 that arrived reads "Your withdrawal WD-7M2QX4 has arrived: $99.00 were
 * paid out to your TRC20 address."
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

/** What an operator or a gateway wrote, ended as a sentence is. */
const asSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
