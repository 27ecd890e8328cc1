import { MICROS_PER_DOLLAR } from '#contract/money.ts';

/** Maximum amount of an asset queued and open at once, in micros; null for no limit. */
export type LimitsOfSize = {
  readonly tradeMicros: bigint | null;
  readonly memberMicros: bigint | null;
  /** For all members together; at an exchange at most half of its order book's depth. */
  readonly allMicros: bigint | null;
};

const dollars = (trade: number, member: number, all: number): LimitsOfSize => ({
  tradeMicros: BigInt(trade) * MICROS_PER_DOLLAR,
  memberMicros: BigInt(member) * MICROS_PER_DOLLAR,
  allMicros: BigInt(all) * MICROS_PER_DOLLAR,
});

const deep = dollars(50_000, 250_000, 5_000_000);
const others = dollars(10_000, 50_000, 500_000);

/** Initial limits in live mode, by liquidity (docs/product.md, section 3, "Position limits"). */
export const liveLimits = (symbol: string): LimitsOfSize => (symbol === 'btc' || symbol === 'eth' ? deep : others);

type Queued = { readonly id: bigint; readonly memberId: bigint; readonly amount: bigint };

/**
 * The queued trades of an asset that exceed its limits. Trades are considered in the order of placing, so the oldest
 * stay; the room of one that does not fit goes to later ones.
 *
 * @param openByMember open amounts in micros, which stay regardless of the limits
 *
 * A limit for all of 100, 30 open; queued 50, 40 and 20: the 40 does not fit.
 */
export function tradesOverLimits(
  { tradeMicros, memberMicros, allMicros }: LimitsOfSize,
  openByMember: ReadonlyMap<bigint, bigint>,
  queued: readonly Queued[],
): bigint[] {
  const ofMember = new Map(openByMember);
  let ofAll = openByMember.values().reduce((sum, amount) => sum + amount, 0n);
  const over: bigint[] = [];
  for (const { id, memberId, amount } of queued) {
    const ofThisMember = (ofMember.get(memberId) ?? 0n) + amount;
    if (isOver(amount, tradeMicros) || isOver(ofThisMember, memberMicros) || isOver(ofAll + amount, allMicros))
      over.push(id);
    else {
      ofMember.set(memberId, ofThisMember);
      ofAll += amount;
    }
  }
  return over;
}

const isOver = (amount: bigint, max: bigint | null): boolean => max !== null && amount > max;
