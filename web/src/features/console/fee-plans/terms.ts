import type { FeePlanTerms } from '#contract/fee-plan.ts';
import { MAX_DOLLARS } from '#contract/money.ts';
import { rankIncomeMostDollars, withdrawalRules } from '#contract/rules.ts';
import { formatBps } from '../../../entities/income/fees.ts';
import { rankLabels } from '../../../entities/income/labels.ts';
import { formatMoney } from '../../../ui/format/number.ts';
import { readAmount } from '../../../ui/forms/read-amount.ts';

/** The shares of one fee total at most 100 %. */
export type Waterfall = 'trade' | 'performance';
export type Unit = 'percent' | 'dollars' | 'count';

export type TermField = {
  /** The server's field name: `level_bps.3`. */
  readonly key: string;
  /** Label in its row, below the name of the fee. */
  readonly label: string;
  /** Label for screen readers. */
  readonly name: string;
  readonly unit: Unit;
  /** Smallest and largest value in the contract: basis points, dollars, people. */
  readonly min: number;
  readonly max: number;
  readonly waterfall?: Waterfall;
  readonly read: (terms: FeePlanTerms) => number;
};

const WHOLE_BPS = 10_000;

/** `valueAt(terms, 'ranks.2.volume')`: fields are named by their path in the terms. */
const valueAt = (terms: FeePlanTerms, key: string): number =>
  key.split('.').reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], terms) as number;

const field = (key: string, label: string, unit: Unit, [min, max]: readonly [number, number]): TermField => ({
  key,
  label,
  name: label,
  unit,
  min,
  max,
  read: (terms) => valueAt(terms, key),
});
const share = (waterfall: Waterfall, key: string, label: string): TermField => ({
  ...field(key, label, 'percent', [0, WHOLE_BPS]),
  name: `${waterfall === 'trade' ? 'Trade fee' : 'Performance fee'} to ${label.charAt(0).toLowerCase()}${label.slice(1)}`,
  waterfall,
});
const levels = (waterfall: Waterfall, key: 'level_bps' | 'team_profit_bps', count: number): TermField[] =>
  Array.from({ length: count }, (_, index) => share(waterfall, `${key}.${index}`, `Level ${index + 1}`));

export const rateFields: readonly TermField[] = [
  field('trade_fee_bps', 'Trade fee, of the amount', 'percent', [0, 1000]),
  field('performance_fee_bps', 'Performance fee, of the gain', 'percent', [0, 5000]),
  field('withdrawal_fee_bps', 'Withdrawal fee, of the amount', 'percent', [0, 1000]),
  field('withdrawal_fee_min', 'Minimum withdrawal fee', 'dollars', [0, withdrawalRules.feeMinimumMostDollars]),
];

export const shareFields: Record<Waterfall, readonly TermField[]> = {
  trade: [
    ...levels('trade', 'level_bps', 10),
    share('trade', 'weekly_bps', 'Weekly pool'),
    share('trade', 'monthly_bps', 'Monthly pool'),
    share('trade', 'rewards_bps', 'Rewards pool'),
  ],
  performance: levels('performance', 'team_profit_bps', 3),
};

export const incomeFields: readonly TermField[] = [
  field('weekly_min_directs', 'Active directs for weekly income', 'count', [0, 1000]),
  field('weekly_cap_bps', 'Weekly pool cap per member', 'percent', [1, WHOLE_BPS]),
  field('leg_cap_bps', 'Rank volume cap per leg', 'percent', [1, WHOLE_BPS]),
];

const rankColumns = [
  ['volume', 'team volume', MAX_DOLLARS],
  ['monthly', 'monthly maximum', rankIncomeMostDollars],
  ['reward', 'maximum reward', rankIncomeMostDollars],
] as const;

/** Of each rank: the required volume, its monthly income and its reward. */
export const rankFields: readonly { readonly name: string; readonly fields: readonly TermField[] }[] = Object.values(
  rankLabels,
).map((name, index) => ({
  name,
  fields: rankColumns.map(([column, label, max]) => ({
    ...field(`ranks.${index}.${column}`, name, 'dollars', [0, max]),
    name: `${name}: ${label}`,
  })),
}));

const allFields: readonly TermField[] = [
  ...rateFields,
  ...shareFields.trade,
  ...shareFields.performance,
  ...incomeFields,
  ...rankFields.flatMap(({ fields }) => fields),
];

/** The fields as typed, by key. */
export type Draft = Readonly<Record<string, string>>;
export type FieldErrors = Readonly<Record<string, string>>;

/** A contract value in the unit of its field: 40 basis points are `0.4`, 1 dollar is `1`. */
const typed = ({ unit, read }: TermField, terms: FeePlanTerms): string =>
  unit === 'dollars' ? plainDollars(read(terms)) : String(unit === 'percent' ? read(terms) / 100 : read(terms));

/** Avoids `1e-7`: at most 6 decimals, without trailing zeros. */
const plainDollars = (dollars: number): string => dollars.toFixed(6).replace(/\.?0+$/, '');

/** A draft that changes nothing. */
export const draftOf = (terms: FeePlanTerms): Draft =>
  Object.fromEntries(allFields.map((field) => [field.key, typed(field, terms)]));

type Read = { readonly value: number } | { readonly error: string };

/** `readField(tradeFee, '0.4')` is 40 basis points; `'0.405'` is refused, and so is more than 10 %. */
export function readField({ unit, min, max }: TermField, text: string): Read {
  if (unit === 'dollars') {
    const read = readAmount(text);
    if (!read.ok) return { error: read.message };
    return read.dollars > max ? { error: `At most ${formatMoney(max, 'typed')}.` } : { value: read.dollars };
  }
  const isNumber = (unit === 'percent' ? /^\d{1,3}(\.\d{1,2})?$/ : /^\d{1,4}$/).test(text.trim());
  if (!isNumber) {
    return { error: unit === 'percent' ? 'Enter a percentage with at most 2 decimals.' : 'Enter a whole number.' };
  }
  const value = unit === 'percent' ? Math.round(Number(text) * 100) : Number(text);
  const words = (bound: number) => (unit === 'percent' ? formatBps(bound) : String(bound));
  if (value > max) return { error: `At most ${words(max)}.` };
  if (value < min) return { error: `At least ${words(min)}.` };
  return { value };
}

/** How much of a fee is distributed, in basis points; undefined while one of its fields is invalid. */
export function distributed(waterfall: Waterfall, draft: Draft): number | undefined {
  let sum = 0;
  for (const field of shareFields[waterfall]) {
    const read = readField(field, draft[field.key] ?? '');
    if ('error' in read) return undefined;
    sum += read.value;
  }
  return sum;
}

export const isTooMuch = (bps: number | undefined): boolean => bps !== undefined && bps > WHOLE_BPS;
/** What the company retains. */
export const restOf = (bps: number): number => WHOLE_BPS - bps;

/**
 * The terms of a draft, or its errors by field: the server's checks, made in advance. Errors of a whole waterfall are
 * keyed by its name.
 */
export function readDraft(draft: Draft): { readonly terms: FeePlanTerms } | { readonly errors: FieldErrors } {
  const errors: Record<string, string> = {};
  const values = new Map<string, number>();
  for (const field of allFields) {
    const read = readField(field, draft[field.key] ?? '');
    if ('error' in read) errors[field.key] = read.error;
    else values.set(field.key, read.value);
  }
  for (const waterfall of ['trade', 'performance'] as const) {
    if (isTooMuch(distributed(waterfall, draft))) errors[waterfall] = 'More than 100% of the fee is distributed.';
  }
  rankFields.forEach(({ fields: [volume] }, index) => {
    const before = values.get(`ranks.${index - 1}.volume`) ?? 0;
    const volumeNow = volume && values.get(volume.key);
    if (volume && volumeNow !== undefined && volumeNow <= before) errors[volume.key] = 'Must exceed the rank before.';
  });
  return Object.keys(errors).length > 0 ? { errors } : { terms: termsOf(values) };
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
