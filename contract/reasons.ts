import { english } from './texts.ts';

const { t } = english;

/**
 * Why a strategy, a stop, the session or the engine acted or did not (docs/trading.md, "Strategies"). Codes are
 * stable, because they are stored with trades and plans. No schemas in this file, so that browsers can load it.
 */
export const reasonCodes = [
  // entering
  'session_opens',
  'above_average',
  'dip',
  // not entering
  'after_opening',
  'not_above_average',
  'no_dip',
  'too_late',
  'no_prices',
  // holding
  'holds_to_close',
  'still_above_average',
  'under_average',
  // exiting
  'fell_to_average',
  'back_at_average',
  'stop_loss',
  'take_profit',
  'trailing_stop',
  'session_close',
  'late_price',
  // the engine does not trade the plan
  'stopped_today',
  'closed_by_you',
  'under_minimum',
  'own_limit',
  'asset_off',
  'frozen',
  'halted',
  'over_asset_limit',
  'paused',
] as const;
export type ReasonCode = (typeof reasonCodes)[number];

/** Values for a reason's sentence: prices in dollars, `period` in candles, `minutes_left`, `minimum` in dollars. */
export type ReasonFacts = Readonly<Record<string, number>>;

/**
 * A reason as an English sentence.
 *
 * `reasonWords('not_above_average', { price: 61204.5, mean: 61530.1, period: 20 })` is
 * "No entry: price 61,204.50 is under its 20-period average 61,530.10."
 */
export function reasonWords(code: ReasonCode, facts: ReasonFacts): string {
  return words[code]((fact) => facts[fact]);
}

type Fact = (name: string) => number | undefined;

const words: Record<ReasonCode, (fact: Fact) => string> = {
  session_opens: () => t`Bought: the session opens.`,
  above_average: (fact) => t`Bought: price ${price(fact)} is above ${average(fact)}.`,
  dip: (fact) => t`Bought: price ${price(fact)} is at or under the lower band ${dipLine(fact)}.`,
  after_opening: () => t`No entry: this strategy buys at the opening only.`,
  not_above_average: (fact) => t`No entry: price ${price(fact)} is ${comparedToAverage(fact)}.`,
  no_dip: (fact) => t`No entry: price ${price(fact)} is above the lower band ${dipLine(fact)}.`,
  too_late: (fact) => t`No entry: only ${plain(fact('minutes_left'))} minutes are left before the session closes.`,
  no_prices: (fact) =>
    t`No decision: ${plain(fact('found'))} of the ${plain(fact('needed'))} candles needed are there without a gap.`,
  holds_to_close: () => t`Held: this strategy holds to the close.`,
  still_above_average: (fact) => t`Held: price ${price(fact)} is above ${average(fact)}.`,
  under_average: (fact) => t`Held: price ${price(fact)} is under ${average(fact)}.`,
  fell_to_average: (fact) => t`Sold: price ${price(fact)} is ${comparedToAverage(fact)}.`,
  back_at_average: (fact) => t`Sold: price ${price(fact)} is back at ${average(fact)}.`,
  stop_loss: () => t`Sold: the stop-loss was reached.`,
  take_profit: () => t`Sold: the take-profit was reached.`,
  trailing_stop: () => t`Sold: the trailing stop was reached.`,
  session_close: () => t`Sold: the session closed.`,
  late_price: () => t`Sold: the session closed without a fresh price, so the first average after it counted.`,
  stopped_today: () => t`No entry: a stop was reached in this session, so the strategy rests until the next one.`,
  closed_by_you: () => t`No entry: you closed the trade yourself, so the plan rests until the next session.`,
  under_minimum: (fact) => t`No entry: the amount is under the minimum${minimum(fact)}.`,
  own_limit: () => t`No entry: your daily loss limit or a pause stops trading.`,
  asset_off: () => t`No entry: the asset is switched off.`,
  frozen: () => t`No entry: your account is frozen.`,
  halted: () => t`No entry: trading was halted.`,
  over_asset_limit: () =>
    t`No entry: the plan’s amount is over the limits of the asset, so it rests until the next session.`,
  paused: () => t`No entry: the plan is paused.`,
};

const price = (fact: Fact) => priceWords(fact('price'));
const average = (fact: Fact) => t`its ${plain(fact('period'))}-period average ${priceWords(fact('mean'))}`;
const comparedToAverage = (fact: Fact) =>
  fact('price') === fact('mean') ? t`at ${average(fact)}` : t`under ${average(fact)}`;
const dipLine = (fact: Fact) =>
  t`${priceWords(fact('dip_at'))} (${average(fact)} less ${plain(fact('atr_multiple'))} × the average true range ${priceWords(fact('atr'))})`;
const minimum = (fact: Fact) => {
  const dollars = fact('minimum');
  return dollars === undefined ? '' : ` of ${dollars}$`;
};

/** A missing fact is shown as unknown, never as 0. */
const plain = (value: number | undefined) => (value === undefined ? '–' : String(value));

function priceWords(value: number | undefined): string {
  if (value === undefined) return '–';
  const digits = value >= 1000 ? 2 : value >= 1 ? 4 : 6;
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
