import type { PayoutNetwork, Withdrawal, WithdrawalState } from '#contract/funds/withdrawals.ts';
import { walletNames } from '../../entities/trade/labels.ts';
import { formatMoney } from '../../ui/format/money.ts';

/** How a withdrawal stands, in words: a title that says what happened, and a sentence that says what comes next. */
type WithdrawalWords = { title: string; next: string };

/**
 * What each state means to the member (docs/product.md, section 5). Those that give the money back say how much and
 * where to, because that is what a member looks for first.
 */
export function withdrawalWords(withdrawal: Withdrawal): WithdrawalWords {
  const back = `${formatMoney(withdrawal.amount, 'typed')} is back in your ${walletNames[withdrawal.wallet_type]}.`;
  switch (withdrawal.state) {
    case 'requested':
      return {
        title: 'Waiting for approval',
        next: 'A person checks it. The amount is held meanwhile, and you can cancel until it is approved.',
      };
    case 'approved':
      return { title: 'Approved', next: 'It is paid out next. It can no longer be cancelled.' };
    case 'sent':
      return { title: 'On its way', next: 'The payment was sent. It is completed when its network confirms it.' };
    case 'uncertain':
      return {
        title: 'A person looks at this payment',
        next: 'It is not known whether it went out, so it is not sent again. The amount stays held until that is known.',
      };
    case 'completed':
      return { title: 'Paid', next: `${formatMoney(withdrawal.net)} was paid to your address.` };
    case 'cancelled':
      return { title: 'Cancelled', next: `Nothing was paid. ${back}` };
    case 'rejected':
      return { title: 'Rejected', next: `Nothing was paid. ${back}` };
    case 'failed':
      return { title: 'The payment failed', next: `Nothing was paid. ${back}` };
  }
}

/** States in which the amount is held and something is still to come. */
export const isOnItsWay = (state: WithdrawalState) =>
  state === 'requested' || state === 'approved' || state === 'sent' || state === 'uncertain';

/** Milliseconds until the server is asked again; false when nothing changes any more. */
export function pollAfterMs(state: WithdrawalState): number | false {
  if (state === 'approved' || state === 'sent') return 3_000;
  if (state === 'requested') return 10_000;
  return state === 'uncertain' ? 30_000 : false;
}

/** What a step of the history is called: what happened then, not how it stands now. */
export const stepWords: Record<WithdrawalState, string> = {
  requested: 'Requested',
  approved: 'Approved',
  sent: 'Sent',
  uncertain: 'Looked into by a person',
  completed: 'Paid',
  cancelled: 'Cancelled by you',
  rejected: 'Rejected',
  failed: 'Failed',
};

/** The networks in the order they are offered, with what is paid on each and how its addresses look. */
export const networks: readonly { value: PayoutNetwork; name: string; sentence: string; paidAs: string }[] = [
  { value: 'TRC20', name: 'TRC20', sentence: 'USDT on Tron. Addresses begin with T.', paidAs: 'USDT on Tron' },
  {
    value: 'BEP20',
    name: 'BEP20',
    sentence: 'USDT on BNB Smart Chain. Addresses begin with 0x.',
    paidAs: 'USDT on BNB Smart Chain',
  },
  {
    value: 'ERC20',
    name: 'ERC20',
    sentence: 'USDT on Ethereum. Addresses begin with 0x.',
    paidAs: 'USDT on Ethereum',
  },
  {
    value: 'BTC',
    name: 'Bitcoin',
    sentence: 'Bitcoin itself. Addresses begin with bc1, 1 or 3.',
    paidAs: 'bitcoin, at the rate when it is sent',
  },
];

export const networkName = (network: PayoutNetwork): string =>
  networks.find(({ value }) => value === network)?.name ?? network;

export const paidAs = (network: PayoutNetwork): string =>
  networks.find(({ value }) => value === network)?.paidAs ?? network;

/** First and last four characters, for a list: `TKq8…QeAu`. Whoever compares sees the whole address elsewhere. */
export const shortAddress = (address: string): string =>
  address.length <= 12 ? address : `${address.slice(0, 4)}…${address.slice(-4)}`;
