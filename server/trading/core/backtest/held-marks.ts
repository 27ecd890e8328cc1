import { parsePrice } from '../fill-price.ts';

/** A mark with the instant it came at. */
export type Mark = { readonly price: string; readonly atMs: number };

/** A mark and for how long it was in force. */
export type HeldMark = { readonly price: string; readonly ms: number };

/**
 * Which marks were in force in [fromMs, toMs) and for how long: the parts a time-weighted average is made of. `marks` are
 * in time order and begin with the one in force at `fromMs`; empty when that one is not known, because half a minute is no
 * minute.
 *
 * From 17:29:00 to 17:30:00, with marks 100 at 17:28:45, 102 at 17:29:15 and 101 at 17:29:45: 100 for 15 s, 102 for 30 s,
 * 101 for 15 s.
 */
export function heldMarks(marks: readonly Mark[], fromMs: number, toMs: number): HeldMark[] {
  const first = marks[0];
  if (first === undefined || first.atMs > fromMs) return [];
  return marks
    .map(({ price, atMs }, index) => ({
      price,
      ms: Math.min(marks[index + 1]?.atMs ?? toMs, toMs) - Math.max(atMs, fromMs),
    }))
    .filter(({ ms }) => ms > 0);
}

/** Their average, each weighted by how long it held, in units of 10⁻¹² dollar, half up: 101.25 of the marks above. */
export function averageOf(parts: readonly HeldMark[]): bigint {
  const ms = parts.reduce((sum, part) => sum + BigInt(part.ms), 0n);
  const weighted = parts.reduce((sum, part) => sum + parsePrice(part.price) * BigInt(part.ms), 0n);
  return (weighted + ms / 2n) / ms;
}
