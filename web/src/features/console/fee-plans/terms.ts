import type { FeePlanTerms } from '#contract/fee-plan.ts';
import { rankWords } from '../../../entities/income/labels.ts';
import { readAmount } from '../../../ui/forms/read-amount.ts';

/** Shares of one fee, which come to the whole of it at most. */
export type Waterfall = 'trade' | 'performance';
export type Unit = 'percent' | 'dollars' | 'count';

export type TermField = {
  /** As the server calls it: `level_bps.3`. */
  readonly key: string;
  /** In its row; what it is a share of stands above it. */
  readonly label: string;
  /** Whole, for who hears it alone. */
  readonly name: string;
  readonly unit: Unit;
  /** Smallest and largest value in the contract: basis points, dollars, people. */
  readonly min: number;
  readonly max: number;
  readonly waterfall?: Waterfall;
  readonly read: (terms: FeePlanTerms) => number;
};

const WHOLE_BPS = 10_000;
const MOST_DOLLARS = 9_000_000_000;

const share = (waterfall: Waterfall, key: string, label: string, read: (terms: FeePlanTerms) => number): TermField => ({
  key,
  label,
  name: `${waterfall === 'trade' ? 'Trade fee' : 'Performance fee'} to ${label.charAt(0).toLowerCase()}${label.slice(1)}`,
  unit: 'percent',
  min: 0,
  max: WHOLE_BPS,
  waterfall,
  read,
});
const levels = (waterfall: Waterfall, of: 'level_bps' | 'team_profit_bps', count: number): TermField[] =>
  Array.from({ length: count }, (_, index) =>
    share(waterfall, `${of}.${index}`, `Level ${index + 1}`, (terms) => terms[of][index] as number),
  );
const own = (given: Omit<TermField, 'name'>): TermField => ({ ...given, name: given.label });

/** The three fees, and the least that a withdrawal costs. */
export const rateFields: readonly TermField[] = [
  own({
    key: 'trade_fee_bps',
    label: 'Trade fee, of the amount',
    unit: 'percent',
    min: 0,
    max: 1000,
    read: (terms) => terms.trade_fee_bps,
  }),
  own({
    key: 'performance_fee_bps',
    label: 'Performance fee, of the gain',
    unit: 'percent',
    min: 0,
    max: 5000,
    read: (terms) => terms.performance_fee_bps,
  }),
  own({
    key: 'withdrawal_fee_bps',
    label: 'Withdrawal fee, of the amount',
    unit: 'percent',
    min: 0,
    max: 1000,
    read: (terms) => terms.withdrawal_fee_bps,
  }),
  own({
    key: 'withdrawal_fee_min',
    label: 'Withdrawal fee, at least',
    unit: 'dollars',
    min: 0,
    max: MOST_DOLLARS,
    read: (terms) => terms.withdrawal_fee_min,
  }),
];

export const shareFields: Record<Waterfall, readonly TermField[]> = {
  trade: [
    ...levels('trade', 'level_bps', 10),
    share('trade', 'weekly_bps', 'Weekly pool', (terms) => terms.weekly_bps),
    share('trade', 'monthly_bps', 'Monthly pool', (terms) => terms.monthly_bps),
    share('trade', 'rewards_bps', 'Rewards pool', (terms) => terms.rewards_bps),
  ],
  performance: levels('performance', 'team_profit_bps', 3),
};

export const incomeFields: readonly TermField[] = [
  own({
    key: 'weekly_min_directs',
    label: 'Active directs for the weekly income',
    unit: 'count',
    min: 0,
    max: 1000,
    read: (terms) => terms.weekly_min_directs,
  }),
  own({
    key: 'weekly_cap_bps',
    label: 'Most of the weekly pool for one member',
    unit: 'percent',
    min: 1,
    max: WHOLE_BPS,
    read: (terms) => terms.weekly_cap_bps,
  }),
  own({
    key: 'leg_cap_bps',
    label: 'Most of a rank that one leg counts for',
    unit: 'percent',
    min: 1,
    max: WHOLE_BPS,
    read: (terms) => terms.leg_cap_bps,
  }),
];

export const rankColumns = ['volume', 'monthly', 'reward'] as const;
const rankColumnWords = { volume: 'team volume', monthly: 'a month, up to', reward: 'reward, up to' } as const;

/** Of each rank: the volume it takes, its income of a month and its reward. */
export const rankFields: readonly { readonly name: string; readonly fields: readonly TermField[] }[] = Object.values(
  rankWords,
).map((name, index) => ({
  name,
  fields: rankColumns.map((column) => ({
    key: `ranks.${index}.${column}`,
    label: name,
    name: `${name}: ${rankColumnWords[column]}`,
    unit: 'dollars',
    min: 0,
    max: MOST_DOLLARS,
    read: (terms: FeePlanTerms) => terms.ranks[index]?.[column] as number,
  })),
}));

const allFields: readonly TermField[] = [
  ...rateFields,
  ...shareFields.trade,
  ...shareFields.performance,
  ...incomeFields,
  ...rankFields.flatMap(({ fields }) => fields),
];

/** What stands in the fields, as it was typed, by key. */
export type Draft = Readonly<Record<string, string>>;
export type Faults = Readonly<Record<string, string>>;

/** A value of the contract as it is typed: 40 basis points are `0.4`, 1 dollar is `1`. */
const typed = ({ unit, read }: TermField, terms: FeePlanTerms): string =>
  unit === 'dollars' ? plainDollars(read(terms)) : String(unit === 'percent' ? read(terms) / 100 : read(terms));

/** Never `1e-7`: at most 6 decimals, without zeros at the end. */
const plainDollars = (dollars: number): string => dollars.toFixed(6).replace(/\.?0+$/, '');

/** A draft that changes nothing. */
export const draftOf = (terms: FeePlanTerms): Draft =>
  Object.fromEntries(allFields.map((field) => [field.key, typed(field, terms)]));

type Read = { readonly value: number } | { readonly fault: string };

/** `readField(tradeFee, '0.4')` is 40 basis points; `'0.405'` is refused, and so is more than 10 %. */
export function readField({ unit, min, max }: TermField, text: string): Read {
  if (unit === 'dollars') {
    const read = readAmount(text);
    return read.ok ? { value: read.dollars } : { fault: read.message };
  }
  const isNumber = (unit === 'percent' ? /^\d{1,3}(\.\d{1,2})?$/ : /^\d{1,4}$/).test(text.trim());
  if (!isNumber) {
    return { fault: unit === 'percent' ? 'Percent, with at most 2 decimals.' : 'A whole number.' };
  }
  const value = unit === 'percent' ? Math.round(Number(text) * 100) : Number(text);
  const words = (bound: number) => (unit === 'percent' ? `${bound / 100} %` : String(bound));
  if (value > max) return { fault: `At most ${words(max)}.` };
  if (value < min) return { fault: `At least ${words(min)}.` };
  return { value };
}

/** What is handed out of a fee in basis points; undefined while one of its fields says nothing. */
export function handedOut(waterfall: Waterfall, draft: Draft): number | undefined {
  let sum = 0;
  for (const field of shareFields[waterfall]) {
    const read = readField(field, draft[field.key] ?? '');
    if ('fault' in read) return undefined;
    sum += read.value;
  }
  return sum;
}

export const isTooMuch = (bps: number | undefined): boolean => bps !== undefined && bps > WHOLE_BPS;
/** What stays with the house. */
export const restOf = (bps: number): number => WHOLE_BPS - bps;

/**
 * The terms that a draft says, or what is wrong with it by field: the server's own checks, made before it is asked.
 * Faults of a whole waterfall stand under its name.
 */
export function readDraft(draft: Draft): { readonly terms: FeePlanTerms } | { readonly faults: Faults } {
  const faults: Record<string, string> = {};
  const values = new Map<string, number>();
  for (const field of allFields) {
    const read = readField(field, draft[field.key] ?? '');
    if ('fault' in read) faults[field.key] = read.fault;
    else values.set(field.key, read.value);
  }
  for (const waterfall of ['trade', 'performance'] as const) {
    if (isTooMuch(handedOut(waterfall, draft))) faults[waterfall] = 'More than the whole fee is handed out.';
  }
  rankFields.forEach(({ fields: [volume] }, index) => {
    const before = values.get(`ranks.${index - 1}.volume`) ?? 0;
    const volumeNow = volume && values.get(volume.key);
    if (volume && volumeNow !== undefined && volumeNow <= before) faults[volume.key] = 'More than the rank before.';
  });
  return Object.keys(faults).length > 0 ? { faults } : { terms: termsOf(values) };
}

function termsOf(values: ReadonlyMap<string, number>): FeePlanTerms {
  const at = (key: string) => values.get(key) as number;
  return {
    trade_fee_bps: at('trade_fee_bps'),
    performance_fee_bps: at('performance_fee_bps'),
    withdrawal_fee_bps: at('withdrawal_fee_bps'),
    withdrawal_fee_min: at('withdrawal_fee_min'),
    level_bps: Array.from({ length: 10 }, (_, index) => at(`level_bps.${index}`)),
    weekly_bps: at('weekly_bps'),
    monthly_bps: at('monthly_bps'),
    rewards_bps: at('rewards_bps'),
    team_profit_bps: Array.from({ length: 3 }, (_, index) => at(`team_profit_bps.${index}`)),
    weekly_min_directs: at('weekly_min_directs'),
    weekly_cap_bps: at('weekly_cap_bps'),
    leg_cap_bps: at('leg_cap_bps'),
    ranks: rankFields.map((_, index) => ({
      volume: at(`ranks.${index}.volume`),
      monthly: at(`ranks.${index}.monthly`),
      reward: at(`ranks.${index}.reward`),
    })),
  };
}
