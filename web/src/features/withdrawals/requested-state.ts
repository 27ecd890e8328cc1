import type { PayoutNetwork } from '#contract/funds/withdrawals.ts';
import { type WalletType, walletTypes } from '#contract/rules.ts';
import { networks } from './withdrawal-labels.ts';

/** A code that was mailed. */
export type SentCode = { sentTo: string; expiresAt: string; resendAt: string; delayed: boolean };

export type Destination = { network: PayoutNetwork; address: string };

/** What a mailed code confirms. */
export type AskedWithdrawal = Destination & { amount: number; fee: number; net: number; walletType: WalletType };

/**
 * The step of the code stands in the browser's history entry: it survives a reload, as when a phone reopens the page
 * after its owner has looked into the mail, and the way back leads to the step before.
 */
export type AskedState = {
  withdrawal?: { asked: AskedWithdrawal; code: SentCode };
  address?: { asked: Destination; code: SentCode };
};

/** The last step of a code, when it still works and was mailed for exactly this: then no other code is needed. */
export const liveStep = <T>(
  last: { asked: T; code: SentCode } | undefined,
  asked: T,
  now: number,
): { asked: T; code: SentCode } | undefined =>
  last && JSON.stringify(last.asked) === JSON.stringify(asked) && Date.parse(last.code.expiresAt) > now
    ? last
    : undefined;

/** The state of a location is whatever somebody put there, so it is looked at before it is believed. */
export function askedStateOf(state: unknown): AskedState {
  const { withdrawal, address } = partsOf(state);
  const found: AskedState = {};
  const [withdrawn, saved] = [partsOf(withdrawal), partsOf(address)];
  if (isWithdrawal(withdrawn.asked) && isCode(withdrawn.code))
    found.withdrawal = { asked: withdrawn.asked, code: withdrawn.code };
  if (isDestination(saved.asked) && isCode(saved.code)) found.address = { asked: saved.asked, code: saved.code };
  return found;
}

const partsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

function isCode(value: unknown): value is SentCode {
  const { sentTo, expiresAt, resendAt, delayed } = partsOf(value);
  return [sentTo, expiresAt, resendAt].every((text) => typeof text === 'string') && typeof delayed === 'boolean';
}

function isDestination(value: unknown): value is Destination {
  const { network, address } = partsOf(value);
  return networks.some((known) => known.value === network) && typeof address === 'string';
}

function isWithdrawal(value: unknown): value is AskedWithdrawal {
  const { amount, fee, net, walletType } = partsOf(value);
  return (
    isDestination(value) &&
    [amount, fee, net].every((figure) => typeof figure === 'number') &&
    walletTypes.some((known) => known === walletType)
  );
}
