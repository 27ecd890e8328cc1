import { formatDollars } from '#contract/format-dollars.ts';
import type { PayoutNetwork } from '#contract/funds/withdrawals.ts';
import type { WalletType } from '#contract/rules.ts';

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
  what: `a withdrawal of ${formatDollars(amountMicros)} from your ${walletNames[wallet]} to the ${network} address ${inGroups(address)}`,
});

/** The saving of an address as its code is bound to it: `TRC20/TJRabPrw…`. */
export const addressOperation = ({ network, address }: PayTo): ConfirmedOperation => ({
  details: `${network}/${address}`,
  what: `that withdrawals go to the ${network} address ${inGroups(address)} from now on`,
});

const walletNames: Readonly<Record<WalletType, string>> = { primary: 'Primary Wallet', profit: 'Profit Wallet' };

/** Letters by four, as people compare them: `inGroups('TJRabPrw') === 'TJRa bPrw'`. */
export const inGroups = (address: string): string => address.replaceAll(/.{4}(?=.)/g, '$& ');
