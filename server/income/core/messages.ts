import { exactDollars } from '#contract/format-dollars.ts';

/**
 * What a member is told about the bonuses of a session, once for all kinds together. The amount is exact.
 *
 * `bonusMessage('2026-03-04', 1_234_500n)` is `Session of 2026-03-04: 1.2345 $ from the fees of your team.`
 */
export const bonusMessage = (day: string, micros: bigint): string =>
  `Session of ${day}: ${exactDollars(micros)} $ from the fees of your team.`;
