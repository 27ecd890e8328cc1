import type { Deposit, DepositState } from '#contract/funds/deposits.ts';
import type { PayoutNetwork } from '#contract/funds/withdrawals.ts';
import { exactDollars, toMicros } from '#contract/money.ts';
import { t } from '../../../api/texts.ts';
import type { NetworkOption } from '../../../entities/network/network-choice.tsx';
import { formatMoney, grouped } from '../../../ui/format/number.ts';
import { formatTime } from '../../../ui/format/time.ts';
import type { StatusStep } from '../../../ui/state/status-steps.tsx';

/** What happened to a deposit, and what comes next. */
export type DepositText = { title: string; next: string };

/**
 * What each state means to the member (docs/product.md, section 4). Only states are read, never the address that the
 * browser was sent to, because anybody can type that.
 */
export const depositTexts: Record<DepositState, DepositText> = {
  created: {
    title: t`Waiting for your payment`,
    next: t`Pay before the invoice expires. This page follows your payment.`,
  },
  pending: {
    title: t`Payment detected`,
    next: t`The gateway is confirming it. Once confirmed, it is credited to your Primary Wallet. You do not need to do anything.`,
  },
  underpaid: {
    title: t`Underpaid`,
    next: t`Pay the rest before the invoice expires. Otherwise an operator reviews the amount received.`,
  },
  credited: { title: t`Credited`, next: t`The money is in your Primary Wallet.` },
  expired: {
    title: t`Invoice expired`,
    next: t`No payment arrived in time. A late payment is reviewed by an operator when it arrives.`,
  },
  review: {
    title: t`Under review`,
    next: t`The payment was late, short, made twice or in another coin. An operator credits, refunds or rejects it, and we notify you.`,
  },
  refunded: { title: t`Refunded`, next: t`The payment was sent back. Nothing was credited to your wallets.` },
  rejected: { title: t`Rejected`, next: t`This payment was not accepted. Nothing was credited to your wallets.` },
  failed: {
    title: t`Payment failed`,
    next: t`The gateway declined it. Nothing was credited to your wallets. You can start another deposit.`,
  },
};

const timeIsUpText: DepositText = {
  title: t`Time to pay is over`,
  next: t`Do not pay this invoice any more. A payment sent in time is still detected. A late payment is reviewed by an operator.`,
};

/** A credited payment was reversed by the gateway, or another coin arrived: that is what is closed, not the credit. */
const afterCreditTexts: Partial<Record<DepositState, DepositText>> = {
  review: {
    title: t`Under review`,
    next: t`A payment was credited. Another one was made, or the gateway reversed it. Our team reviews it and then notifies you.`,
  },
  rejected: {
    title: t`Reviewed`,
    next: t`A payment was credited. Our team has reviewed what came after it and credited nothing more. A correction of your wallet is listed in your transactions.`,
  },
};

/** `missing` is the amount with its currency. */
function shortText({ state, pay_with }: Deposit, missing: string): DepositText {
  const title = state === 'pending' ? t`Part of the payment detected` : depositTexts.underpaid.title;
  // At NOWPayments the rest is a new payment, which is never credited without an operator (docs/funds.md, "Deposits").
  return pay_with === null || pay_with === 'BTC'
    ? {
        title,
        next: t`${missing} is missing. Pay it before the invoice expires. Otherwise an operator reviews the amount received.`,
      }
    : {
        title,
        next: t`${missing} is missing. You can pay it before the invoice expires, as a second payment. Either way, an operator reviews the amount received.`,
      };
}

/** An invoice that has expired must not be paid, even before the server has closed it. */
export function wordsOfDeposit(deposit: Deposit, timeIsUp: boolean): DepositText {
  const { state, credited } = deposit;
  if (timeIsUp && acceptsPayment(deposit)) return timeIsUpText;
  const missing = missingOf(deposit);
  if (missing) return shortText(deposit, textOf(missing));
  return (credited === null ? undefined : afterCreditTexts[state]) ?? depositTexts[state];
}

/** An amount to pay, in the coin that the gateway asks for: `0.001` and `BTC`. */
type Due = { readonly amount: string; readonly currency: string };
const textOf = ({ amount, currency }: Due) => `${amount} ${currency}`;

/** What is missing of a deposit that was paid in part, confirmed or not; undefined for any other. */
export function missingOf({ state, amount, paid, currency, pay_ways }: Deposit): Due | undefined {
  if (state !== 'underpaid' && state !== 'pending') return undefined;
  const [way] = pay_ways;
  if (way) return { amount: way.due, currency: way.currency };
  if (state === 'pending' || paid === null) return undefined;
  return { amount: grouped(exactDollars(toMicros(amount) - toMicros(paid))), currency };
}

/** `0.001 BTC missing`; undefined for a deposit of which nothing is missing. */
export function missingText(deposit: Deposit): string | undefined {
  const missing = missingOf(deposit);
  return missing && t`${textOf(missing)} missing`;
}

/** Whether the gateway expects money: paying otherwise would be paying twice. */
export const acceptsPayment = (deposit: Deposit) =>
  deposit.state === 'created' || deposit.state === 'underpaid' || missingOf(deposit) !== undefined;

/** States in which the gateway still expects money or its confirmation, so that the invoice is worth showing. */
export const isOpen = (state: DepositState) => state === 'created' || state === 'pending' || state === 'underpaid';

/** States that change only with a new payment. */
export const isFinal = (state: DepositState) => !isOpen(state) && state !== 'review';

/** Milliseconds until the next poll; false when there is nothing to wait for. */
export function pollAfterMs(state: DepositState): number | false {
  if (isOpen(state)) return 3_000;
  return state === 'review' ? 30_000 : false;
}

/** One short line for the Note column: the operator's note, or what the badge does not say. */
export function depositNote(deposit: Deposit): string {
  if (deposit.note !== null) return deposit.note;
  if (deposit.state === 'credited' && deposit.credited !== null) {
    if (deposit.credited > deposit.amount) return t`Overpaid, credited in full`;
    if (deposit.credited < deposit.amount) return t`Underpaid, credited after review`;
    return '';
  }
  if (deposit.state === 'review' && deposit.held > 0) {
    return t`${formatMoney(deposit.held, 'typed')} under review by an operator`;
  }
  return missingText(deposit) ?? NOTES[deposit.state];
}

const NOTES: Record<DepositState, string> = {
  created: t`Waiting for payment`,
  pending: t`Payment detected, waiting for the gateway`,
  underpaid: t`Underpaid, waiting for the rest`,
  credited: '',
  expired: t`No payment arrived`,
  review: t`Under review by an operator`,
  refunded: t`Sent back`,
  rejected: t`Not accepted`,
  failed: t`Declined by the gateway`,
};

const utc = (at: string) => t`${formatTime(at)} UTC`;

/** The three steps of a deposit as reported by the server. Only two times are known: creation and last change. */
export function depositSteps(deposit: Deposit): [StatusStep, StatusStep, StatusStep] {
  const created: StatusStep = { title: t`Created`, detail: utc(deposit.created_at), at: 'done' };
  const seen: StatusStep = { title: t`Payment detected`, detail: '', at: 'done' };
  const notCredited: StatusStep = { title: t`Credited`, detail: t`Nothing was credited`, at: 'ahead' };
  const ahead: StatusStep = { title: t`Credited`, detail: t`To the Primary Wallet`, at: 'ahead' };
  const changed = utc(deposit.updated_at);

  switch (deposit.state) {
    case 'created':
      return [
        { ...created, detail: t`${utc(deposit.created_at)}, waiting for your payment`, at: 'current' },
        { ...seen, detail: t`Then it is confirmed`, at: 'ahead' },
        ahead,
      ];
    case 'pending':
      return [created, { ...seen, detail: t`${changed}, being confirmed`, at: 'current' }, ahead];
    case 'underpaid':
      return [created, { ...seen, detail: t`${changed}, underpaid`, at: 'current' }, ahead];
    case 'credited':
      return [created, seen, { ...ahead, detail: t`${changed}, to the Primary Wallet`, at: 'done' }];
    case 'review':
      return [created, seen, { title: t`In review`, detail: t`Since ${changed}`, at: 'current' }];
    case 'expired':
      return [
        created,
        { title: t`Expired`, detail: t`${utc(deposit.expires_at)}, no payment arrived`, at: 'stopped' },
        notCredited,
      ];
    case 'refunded':
      return [created, seen, { title: t`Refunded`, detail: changed, at: 'stopped' }];
    case 'rejected':
      return [created, seen, { title: t`Rejected`, detail: changed, at: 'stopped' }];
    case 'failed':
      return [
        created,
        { title: t`Failed`, detail: t`${changed}, declined by the gateway`, at: 'stopped' },
        notCredited,
      ];
  }
}

/** The payment options of a deposit. */
export const payWithOptions: Record<PayoutNetwork, NetworkOption> = {
  BTC: { value: 'BTC', name: t`Bitcoin`, sentence: t`Credited in dollars at the gateway’s rate.` },
  TRC20: { value: 'TRC20', name: t`USDT on TRC20`, sentence: t`On Tron. One USDT is credited as one dollar.` },
  BEP20: {
    value: 'BEP20',
    name: t`USDT on BEP20`,
    sentence: t`On BNB Smart Chain. One USDT is credited as one dollar.`,
  },
  ERC20: { value: 'ERC20', name: t`USDT on ERC20`, sentence: t`On Ethereum. One USDT is credited as one dollar.` },
};
