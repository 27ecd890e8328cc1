import { tradeFee } from '../settlement.ts';

const BPS = 10_000n;

/**
 * The amount of a partially filled trade whose position is worth this much after its fee. 99.6 dollars at 0.4 %: 100.
 * Rounded down, so the position never exceeds what was filled.
 */
export function openedAmount(netMicros: bigint, tradeBps: number): bigint {
  let amount = (netMicros * BPS) / (BPS - BigInt(tradeBps)) + 1n;
  while (amount > 0n && amount - tradeFee(amount, tradeBps) > netMicros) amount -= 1n;
  return amount;
}
