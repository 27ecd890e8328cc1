import { BPS } from '#contract/fee-plan.ts';
import type { BonusKind, IncomeLine } from '#contract/income.ts';
import { shareOf, toDollars, toTotal } from '#contract/money.ts';
import { lineId } from './line-id.ts';

/** A bonus of one session and level, in micros; `fees` are its basis. */
export type BonusLine = {
  readonly day: string;
  readonly level: number;
  readonly traders: bigint;
  readonly volume: bigint;
  readonly fees: bigint;
  readonly bps: number;
  readonly amount: bigint;
  readonly closesAt: Date;
};

/** The levels of each kind of bonus (docs/product.md, section 6). */
export const levelsOf: Record<BonusKind, { readonly first: number; readonly last: number }> = {
  referral: { first: 1, last: 1 },
  level: { first: 2, last: 10 },
  'team-profit': { first: 1, last: 3 },
};

/** Basis points as percent: `percentOf(1250) === 12.5` */
export const percentOf = (bps: number): number => bps / 100;

/** Active directs required for a level; level 1 requires none. `neededDirects(4) === 4` */
export const neededDirects = (level: number): number => (level === 1 ? 0 : level);

/**
 * Paid ÷ nominal (docs/product.md, section 6), at most 1. The shares of several levels are rounded down together, so a
 * line can be a micro above its own rounded share, but never below.
 *
 * 1 000 micros of 5 001 at 20 % are the full share, coverage 1; nothing paid is 0.
 */
export function coverageOf({ fees, bps, amount }: Pick<BonusLine, 'fees' | 'bps' | 'amount'>): number {
  const nominal = shareOf(fees, BigInt(bps), BigInt(BPS));
  return amount >= nominal ? 1 : Number(amount) / Number(nominal);
}

/** Dated by the close of its session. */
export const showBonusLine = (line: BonusLine): IncomeLine => ({
  id: lineId(line),
  session: line.day,
  level: line.level,
  symbol: null,
  volume: toTotal(line.volume),
  fees: toDollars(line.fees),
  rate: percentOf(line.bps),
  amount: toDollars(line.amount),
  coverage: coverageOf(line),
  created_at: line.closesAt.toISOString(),
});
