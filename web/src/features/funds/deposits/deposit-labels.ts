import type { Deposit, DepositState } from '#contract/funds/deposits.ts';
import { formatTime } from '../../../ui/format/time.ts';
import type { StatusStep } from '../../../ui/text/status-steps.tsx';

/** How a deposit stands, in words: a title that says what happened, and a sentence that says what comes next. */
export type DepositWords = { title: string; next: string };

/**
 * What each state means to the member (docs/product.md, section 4). Only states are read, never the address the browser
 * was sent to, because that can be typed by anybody.
 */
export const depositWords: Record<DepositState, DepositWords> = {
  created: {
    title: 'Waiting for your payment',
    next: 'Open the payment page and pay before the invoice expires.',
  },
  pending: {
    title: 'Payment seen',
    next: 'It is being confirmed. You need to do nothing; it is credited to your Primary Wallet when the gateway confirms it.',
  },
  underpaid: {
    title: 'Less arrived than asked',
    next: 'Pay the rest before the invoice expires. If you do not, a person looks at what arrived and decides.',
  },
  credited: { title: 'Credited', next: 'The money is in your Primary Wallet.' },
  expired: {
    title: 'The invoice expired',
    next: 'No payment arrived in time and nothing was taken. If you paid late, a person looks at it when it arrives.',
  },
  review: {
    title: 'A person looks at this payment',
    next: 'It came late, short or twice. It will be credited, refunded or rejected, and you are told which.',
  },
  refunded: { title: 'Refunded', next: 'What arrived was sent back. Nothing was credited to your wallets.' },
  rejected: { title: 'Rejected', next: 'This payment was not accepted. Nothing was credited to your wallets.' },
  failed: {
    title: 'The payment failed',
    next: 'The gateway refused it. Nothing was credited to your wallets; you can start another deposit.',
  },
};

const timeIsUpWords: DepositWords = {
  title: 'The time to pay is over',
  next: 'Do not pay to this invoice any more. What you sent in time is still seen; what comes late, a person looks at.',
};

/** The words of a state; an invoice whose clock ran out is not to be paid, also before the server has closed it. */
export const wordsOfDeposit = (state: DepositState, timeIsUp: boolean): DepositWords =>
  timeIsUp && takesMoney(state) ? timeIsUpWords : depositWords[state];

/** States in which the gateway waits for money: paying again in any other would be paying twice. */
export const takesMoney = (state: DepositState) => state === 'created' || state === 'underpaid';

/** States in which the gateway still waits for money or for its confirmation, so that the invoice is worth showing. */
export const isOpen = (state: DepositState) => state === 'created' || state === 'pending' || state === 'underpaid';

/** States that nothing changes any more without a new payment. */
export const isFinal = (state: DepositState) => !isOpen(state) && state !== 'review';

/** Milliseconds until the server is asked again; false when there is nothing to wait for. */
export function pollAfterMs(state: DepositState): number | false {
  if (isOpen(state)) return 3_000;
  return state === 'review' ? 30_000 : false;
}

/** One short line for the history's Note column: what a person said, or what the badge leaves out. */
export function depositNote(deposit: Deposit): string {
  if (deposit.note !== null) return deposit.note;
  if (deposit.state === 'credited' && deposit.credited !== null) {
    if (deposit.credited > deposit.amount) return 'Overpaid, credited in full';
    if (deposit.credited < deposit.amount) return 'Paid less, credited after review';
    return '';
  }
  return NOTES[deposit.state];
}

const NOTES: Record<DepositState, string> = {
  created: 'Waiting for the payment',
  pending: 'Payment seen, waiting for the gateway',
  underpaid: 'Less arrived, waiting for the rest',
  credited: '',
  expired: 'No payment arrived',
  review: 'A person looks at it',
  refunded: 'Sent back',
  rejected: 'Not accepted',
  failed: 'Refused by the gateway',
};

const utc = (at: string) => `${formatTime(at)} UTC`;

/**
 * The way of a deposit in three steps, as far as the server says it went. Times are given only where they are known:
 * the creation, and the last change for the step it stands at.
 */
export function depositSteps(deposit: Deposit): [StatusStep, StatusStep, StatusStep] {
  const created: StatusStep = { title: 'Created', detail: utc(deposit.created_at), at: 'done' };
  const seen: StatusStep = { title: 'Payment seen', detail: '', at: 'done' };
  const notCredited: StatusStep = { title: 'Credited', detail: 'nothing was credited', at: 'ahead' };
  const ahead: StatusStep = { title: 'Credited', detail: 'to the Primary Wallet', at: 'ahead' };
  const changed = utc(deposit.updated_at);

  switch (deposit.state) {
    case 'created':
      return [
        { ...created, detail: `${utc(deposit.created_at)}, waiting for your payment`, at: 'current' },
        { ...seen, detail: 'then it is confirmed', at: 'ahead' },
        ahead,
      ];
    case 'pending':
      return [created, { ...seen, detail: `${changed}, being confirmed`, at: 'current' }, ahead];
    case 'underpaid':
      return [created, { ...seen, detail: `${changed}, less than asked`, at: 'current' }, ahead];
    case 'credited':
      return [created, seen, { ...ahead, detail: `${changed}, to the Primary Wallet`, at: 'done' }];
    case 'review':
      return [created, seen, { title: 'In review', detail: `since ${changed}`, at: 'current' }];
    case 'expired':
      return [
        created,
        { title: 'Expired', detail: `${utc(deposit.expires_at)}, no payment arrived`, at: 'stopped' },
        notCredited,
      ];
    case 'refunded':
      return [created, seen, { title: 'Refunded', detail: changed, at: 'stopped' }];
    case 'rejected':
      return [created, seen, { title: 'Rejected', detail: changed, at: 'stopped' }];
    case 'failed':
      return [created, { title: 'Failed', detail: `${changed}, refused by the gateway`, at: 'stopped' }, notCredited];
  }
}
