import { Decimal } from 'decimal.js';

const Exact = Decimal.clone({ precision: 100, toExpNeg: -100, toExpPos: 100 });

/** One amount that a gateway lists, or that we booked; decimal text, signed. */
export type Amount = {
  readonly about: string;
  readonly at: Date;
  readonly asset: string;
  /** Null where it is known that something was booked, and not how many coins. */
  readonly units: string | null;
  /** Of ours. */
  readonly reference?: string;
};

/** Everything about one payment, payout or transaction, on both sides. */
export type Compared = {
  readonly about: string;
  readonly kind: 'matched' | 'unmatched' | 'missing' | 'differs';
  /** The oldest of it. */
  readonly at: Date;
  readonly asset: string;
  readonly listed: string | null;
  readonly booked: string | null;
  readonly reference: string | null;
};

/**
 * Compares what a gateway lists with what we booked, by what it is about: the sums of both sides have to be equal. The order in
 * which amounts are given changes nothing.
 *
 * A payout of 100 with a network fee of 1.2 that the gateway lists as −101.2 matches; booked without the fee it differs.
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

/** Null where a part of it is not known, or there is nothing. */
function sumOf(amounts: readonly Amount[]): string | null {
  let sum: Decimal | null = null;
  for (const { units } of amounts) {
    if (units === null) return null;
    sum = (sum ?? new Exact(0)).plus(units);
  }
  return sum?.toFixed() ?? null;
}
