import type { PayoutNetwork } from '#contract/funds/withdrawals.ts';
import type { Context } from '#server/context.ts';
import { Refused } from '#server/refused.ts';
import { readPayoutAddress } from '../core/payout-address.ts';

export type PayTo = { readonly network: PayoutNetwork; readonly address: string };

/** An address as it was typed, in the form in which it is stored. Refuses `invalid_address`. */
export function readAddress({ config }: Context, typed: PayTo): PayTo {
  const address = readPayoutAddress(typed.network, typed.address, config.bitcoinNetwork);
  if (address === undefined) throw new Refused('invalid_address');
  return { network: typed.network, address };
}
