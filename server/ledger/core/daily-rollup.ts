import type { TransferFields } from './canonical.ts';

/** Amount and number of transfers between two account classes for one reason. */
export type DailyRollup = {
  /** Market day, `2026-03-04`; null is the total of all days. */
  readonly day: string | null;
  /** Numbers of account classes. */
  readonly from: number;
  readonly to: number;
  readonly reason: string;
  readonly micros: bigint;
  /** Transfers minus reversals. */
  readonly count: bigint;
};

type Sum = { -readonly [Key in keyof DailyRollup]: DailyRollup[Key] };

const DAY_MICROS = 86_400_000_000n;

/**
 * Sums transfers by market day, pair of account classes and reason. A reversal is subtracted from the flow it reverses,
 * on its own day: a correction of $100 on 4 March that is reversed on the 5th gives $100 on the 4th, −$100 on the 5th
 * and a total of 0.
 */
export class DailyRollups {
  readonly #sums = new Map<string, Sum>();
  /** Formatted days by midnight: there are few days and many transfers. */
  readonly #days = new Map<bigint, string>();

  /** @param reversedReason reason of the transfer that this one reverses; by default the reversal's own */
  add(transfer: TransferFields, reversedReason: string | null): void {
    const day = this.#dayOf(transfer.market_at_micros);
    const from = Number(transfer.from_account & 31n);
    const to = Number(transfer.to_account & 31n);
    const { amount } = transfer;
    if (transfer.reverses === null) addTo(this.#sums, day, from, to, transfer.reason, amount, 1n);
    else addTo(this.#sums, day, to, from, reversedReason ?? transfer.reason, -amount, -1n);
  }

  addAll(others: DailyRollups): void {
    for (const sum of others.#sums.values())
      addTo(this.#sums, sum.day, sum.from, sum.to, sum.reason, sum.micros, sum.count);
  }

  /** The rollups of each day, then the totals of all days. */
  list(): DailyRollup[] {
    const totals = new Map<string, Sum>();
    for (const sum of this.#sums.values()) addTo(totals, null, sum.from, sum.to, sum.reason, sum.micros, sum.count);
    return [...this.#sums.values(), ...totals.values()];
  }

  #dayOf(marketAtMicros: bigint): string {
    const sinceMidnight = ((marketAtMicros % DAY_MICROS) + DAY_MICROS) % DAY_MICROS;
    const midnight = marketAtMicros - sinceMidnight;
    const known = this.#days.get(midnight);
    if (known !== undefined) return known;
    const day = new Date(Number(midnight / 1000n)).toISOString().slice(0, 10);
    this.#days.set(midnight, day);
    return day;
  }
}

function addTo(
  sums: Map<string, Sum>,
  day: string | null,
  from: number,
  to: number,
  reason: string,
  micros: bigint,
  count: bigint,
): void {
  const key = `${day} ${from} ${to} ${reason}`;
  const sum = sums.get(key);
  if (sum === undefined) {
    sums.set(key, { day, from, to, reason, micros, count });
    return;
  }
  sum.micros += micros;
  sum.count += count;
}
