import { Decimal } from 'decimal.js';

const Exact = Decimal.clone({ precision: 100, toExpNeg: -100, toExpPos: 100 });

/** One amount listed by a gateway or booked by us; signed decimal text. */
export type Amount = {
  readonly about: string;
  readonly at: Date;
  readonly asset: string;
  /** Null when an unknown number of coins was booked. */
  readonly units: string | null;
  /** Our own, of a booked amount. */
  readonly reference?: string;
};

/** Both sides of one payment, payout or transaction. */
export type Compared = {
  readonly about: string;
  readonly kind: 'matched' | 'unmatched' | 'missing' | 'differs';
  /** Time of the oldest amount. */
  readonly at: Date;
  readonly asset: string;
  readonly listed: string | null;
  readonly booked: string | null;
  readonly reference: string | null;
};

/**
 * Matches the amounts that a gateway lists with those that we booked, grouped by `about`: the sums of both sides must
 * be equal. The order of the amounts does not matter.
 *
 * A payout of 100 with a network fee of 1.2, listed as −101.2, matches; booked without the fee it differs.
 */
export function compareEntries(listed: readonly Amount[], booked: readonly Amount[]): Compared[] {
  const [theirs, ours] = [Map.groupBy(listed, aboutOf), Map.groupBy(booked, aboutOf)];
  const all = [...new Set([...theirs.keys(), ...ours.keys()])].sort();
  return all.map((about) => {
    const [there, here] = [theirs.get(about) ?? [], ours.get(about) ?? []];
    const rows = [...there, ...here].toSorted((a, b) => a.at.getTime() - b.at.getTime());
    const references = here.flatMap(({ reference }) => reference ?? []);
    return {
      about,
      kind: kindOf(there, here),
      at: (rows[0] as Amount).at,
      asset: (rows[0] as Amount).asset,
      listed: sumOf(there),
      booked: sumOf(here),
      reference: references.length === 0 ? null : [...new Set(references)].sort().join(', '),
    };
  });
}

const aboutOf = ({ about }: Amount): string => about;

function kindOf(there: readonly Amount[], here: readonly Amount[]): Compared['kind'] {
  if (here.length === 0) return 'unmatched';
  if (there.length === 0) return 'missing';
  const [listed, booked] = [sumOf(there), sumOf(here)];
  const isSame = booked === null || (listed !== null && new Exact(listed).eq(booked));
  const isOneAsset = new Set([...there, ...here].map(({ asset }) => asset)).size === 1;
  return isSame && isOneAsset ? 'matched' : 'differs';
}

/** Null when there is no amount, or any of them is unknown. */
function sumOf(amounts: readonly Amount[]): string | null {
  let sum: Decimal | null = null;
  for (const { units } of amounts) {
    if (units === null) return null;
    sum = (sum ?? new Exact(0)).plus(units);
  }
  return sum?.toFixed() ?? null;
}
