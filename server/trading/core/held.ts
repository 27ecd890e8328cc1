import type { WalletType } from '#contract/rules.ts';

/** A movement into or out of `withdrawal_hold`: positive in, with the wallet it came from; negative out. */
export type HoldMovement = { readonly reference: string; readonly wallet: WalletType | null; readonly signed: bigint };

/**
 * How much of the hold came from each wallet. The ledger keeps one hold account; all movements of one withdrawal carry
 * its reference, so what is left of each belongs to the wallet it was taken from.
 *
 * 100 of primary held for A and 40 of profit for B, A paid out: nothing of primary and 40 of profit.
 */
export function heldByWallet(movements: readonly HoldMovement[]): Record<WalletType, bigint> {
  const held: Record<WalletType, bigint> = { primary: 0n, profit: 0n };
  const walletOf = new Map(
    movements.flatMap(({ reference, wallet }) => (wallet === null ? [] : [[reference, wallet]])),
  );
  for (const { reference, signed } of movements) {
    const wallet = walletOf.get(reference);
    if (wallet !== undefined) held[wallet] += signed;
  }
  return held;
}
