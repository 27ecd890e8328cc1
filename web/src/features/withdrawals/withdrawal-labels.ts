import type { PayoutNetwork, Withdrawal, WithdrawalState } from '#contract/funds/withdrawals.ts';
import { t } from '../../api/texts.ts';
import { walletNames } from '../../entities/trade/labels.ts';
import { formatMoney } from '../../ui/format/number.ts';

/** What happened to a withdrawal, and what comes next. */
type WithdrawalText = { title: string; next: string };

/**
 * What each state means to the member (docs/product.md, section 5). A returned amount and its destination come first,
 * because a member looks for that.
 */
export function withdrawalText(withdrawal: Withdrawal): WithdrawalText {
  const back = t`Nothing was paid. ${formatMoney(withdrawal.amount, 'typed')} is back in your ${walletNames[withdrawal.wallet_type]}.`;
  switch (withdrawal.state) {
    case 'requested':
      return {
        title: t`Waiting for approval`,
        next: t`An operator reviews it. The amount is held, and you can cancel until it is approved.`,
      };
    case 'approved':
      return { title: t`Approved`, next: t`It is paid next and can no longer be cancelled.` };
    case 'sent':
      return { title: t`Sent`, next: t`The payment was sent. It is completed when the network confirms it.` };
    case 'uncertain':
      return {
        title: t`Outcome unknown, under review`,
        next: t`An operator is checking whether the payment was made. It is not sent again, and the amount stays held until then.`,
      };
    case 'completed':
      return { title: t`Paid`, next: t`${formatMoney(withdrawal.net)} was paid to your address.` };
    case 'cancelled':
      return { title: t`Cancelled`, next: back };
    case 'rejected':
      return { title: t`Rejected`, next: back };
    case 'failed':
      return { title: t`Payment failed`, next: back };
  }
}

/** States in which the amount is held and the outcome is pending. */
export const isInProgress = (state: WithdrawalState) =>
  state === 'requested' || state === 'approved' || state === 'sent' || state === 'uncertain';

/** Milliseconds until the next poll; false when the state is final. */
export function pollAfterMs(state: WithdrawalState): number | false {
  if (state === 'approved' || state === 'sent') return 3_000;
  if (state === 'requested') return 10_000;
  return state === 'uncertain' ? 30_000 : false;
}

/** A status event describes what happened then, not the current state. */
export const stepLabels: Record<WithdrawalState, string> = {
  requested: t`Requested`,
  approved: t`Approved`,
  sent: t`Sent`,
  uncertain: t`Under review`,
  completed: t`Paid`,
  cancelled: t`Cancelled by you`,
  rejected: t`Rejected`,
  failed: t`Failed`,
};

/** The networks in the order they are offered, with the coin of each and the format of its addresses. */
export const networks: readonly { value: PayoutNetwork; name: string; sentence: string; paidAs: string }[] = [
  { value: 'TRC20', name: 'TRC20', sentence: t`USDT on Tron. Addresses begin with T.`, paidAs: t`USDT on Tron` },
  {
    value: 'BEP20',
    name: 'BEP20',
    sentence: t`USDT on BNB Smart Chain. Addresses begin with 0x.`,
    paidAs: t`USDT on BNB Smart Chain`,
  },
  {
    value: 'ERC20',
    name: 'ERC20',
    sentence: t`USDT on Ethereum. Addresses begin with 0x.`,
    paidAs: t`USDT on Ethereum`,
  },
  {
    value: 'BTC',
    name: t`Bitcoin`,
    sentence: t`Bitcoin on its own network. Addresses begin with bc1, 1 or 3.`,
    paidAs: t`Bitcoin, at the rate when it is sent`,
  },
];

export const networkName = (network: PayoutNetwork): string =>
  networks.find(({ value }) => value === network)?.name ?? network;

export const paidAs = (network: PayoutNetwork): string =>
  networks.find(({ value }) => value === network)?.paidAs ?? network;
