import { formatDollars } from '#contract/format-dollars.ts';
import type { WalletType } from '#contract/rules.ts';

/**
 * What a member reads of a correction: 5 $ into the primary wallet for "Fee taken twice" is *$5.00 was added to your primary
 * wallet: Fee taken twice*.
 */
export function correctionNotice(row: {
  readonly reference: string;
  readonly wallet: WalletType;
  readonly signedMicros: bigint;
  readonly reason: string;
}) {
  const { reference, wallet, signedMicros, reason } = row;
  const isGiven = signedMicros > 0n;
  const amount = formatDollars(isGiven ? signedMicros : -signedMicros);
  const message = `${amount} was ${isGiven ? 'added to' : 'taken from'} your ${wallet} wallet: ${reason}`;
  return {
    kind: 'wallet_corrected',
    message,
    mail: {
      subject: `Correction ${reference} of your ${wallet} wallet`,
      text: `${message}\n\nReference: ${reference}\n\nIf you do not understand this, please write to support.\n`,
    },
  };
}
