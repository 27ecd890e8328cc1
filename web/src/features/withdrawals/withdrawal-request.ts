import type { PayoutNetwork } from '#contract/funds/withdrawals.ts';
import { type WalletType, walletTypes } from '#contract/rules.ts';
import { partsOf } from '../../entities/member/mailed-code.ts';
import { networks } from './withdrawal-labels.ts';

export type Destination = { network: PayoutNetwork; address: string };

/** What an emailed code confirms. */
export type WithdrawalRequest = Destination & { amount: number; fee: number; net: number; walletType: WalletType };

export function isDestination(value: unknown): value is Destination {
  const { network, address } = partsOf(value);
  return networks.some((known) => known.value === network) && typeof address === 'string';
}

export function isWithdrawalRequest(value: unknown): value is WithdrawalRequest {
  const { amount, fee, net, walletType } = partsOf(value);
  return (
    isDestination(value) &&
    [amount, fee, net].every((figure) => typeof figure === 'number') &&
    walletTypes.some((known) => known === walletType)
  );
}
