import type { StopPercents } from '#contract/trading/stops.ts';
import { t } from '../../api/texts.ts';
import { formatPrice } from '../../ui/format/price.ts';
import { numberOf } from '../../ui/forms/read-amount.ts';

export type StopKind = keyof StopPercents;
export const stopKinds = ['stop_loss', 'take_profit', 'trailing_stop'] as const satisfies readonly StopKind[];

export const noStops: StopPercents = { stop_loss: null, take_profit: null, trailing_stop: null };

export const stopNames: Record<StopKind, string> = {
  stop_loss: t`Stop-loss`,
  take_profit: t`Take-profit`,
  trailing_stop: t`Trailing stop`,
};

/** The stops of a request that places something: unset ones are omitted. */
export const onlySet = (stops: StopPercents): Partial<StopPercents> =>
  Object.fromEntries(Object.entries(stops).filter(([, percent]) => percent !== null));

/** The stops of a request that changes them: unchanged ones are omitted, so that a trailing stop keeps its high. */
export const onlyChanged = (before: StopPercents, after: StopPercents): Partial<StopPercents> =>
  Object.fromEntries(Object.entries(after).filter(([kind, percent]) => before[kind as StopKind] !== percent));

/** The stops as text fields. */
export type StopDraft = Readonly<Record<StopKind, string>>;
export type StopErrors = Partial<Record<StopKind, string>>;

export const draftOf = (stops: StopPercents): StopDraft => ({
  stop_loss: String(stops.stop_loss ?? ''),
  take_profit: String(stops.take_profit ?? ''),
  trailing_stop: String(stops.trailing_stop ?? ''),
});

/** The contract's limits, repeated because its schema is never sent to a browser; a test compares the two. */
const MAX: Record<StopKind, number> = { stop_loss: 99.9, take_profit: 1000, trailing_stop: 50 };
const STEP = 0.1;

/**
 * Parses typed stops; refusals are by field, with the contract's messages. An empty field is no stop.
 * `readStops({ stop_loss: '2', take_profit: '', trailing_stop: '60' })` refuses the last with "From 0.1 to 50%."
 */
export function readStops(draft: StopDraft): { stops: StopPercents } | { errors: StopErrors } {
  const stops = { ...noStops };
  const errors: StopErrors = {};
  for (const kind of stopKinds) {
    if (draft[kind].trim() === '') continue;
    const percent = numberOf(draft[kind]);
    const error = errorOf(percent, MAX[kind]);
    if (error === null) stops[kind] = percent;
    else errors[kind] = error;
  }
  return Object.keys(errors).length === 0 ? { stops } : { errors };
}

function errorOf(percent: number, max: number): string | null {
  if (!Number.isFinite(percent)) return t`Enter a percentage.`;
  if (percent < STEP || percent > max) return t`From ${STEP} to ${max}%.`;
  return Math.abs(percent * 10 - Math.round(percent * 10)) < 1e-9 ? null : t`In steps of ${STEP}%.`;
}

/** The percentage in a field, or null while it is empty or invalid. */
export function percentOfDraft(kind: StopKind, draft: StopDraft): number | null {
  const percent = numberOf(draft[kind]);
  return errorOf(percent, MAX[kind]) === null ? percent : null;
}

const BPS = 10_000;

/** The entry price of a trade that opened at this mark: half the spread above it (docs/product.md, section 3). */
export const entryAt = (mark: number, spreadBps: number): number => mark * (1 + spreadBps / 2 / BPS);

/**
 * The mark that triggers a stop: measured from the entry for stop-loss and take-profit, from the highest mark for a
 * trailing stop. `triggerPrice('stop_loss', 2, 100.05)` is 98.049, `triggerPrice('take_profit', 3, 100.05)` 103.0515
 */
export const triggerPrice = (kind: StopKind, percent: number, from: number): number =>
  from * (1 + (kind === 'take_profit' ? percent : -percent) / 100);

/** `formatStopPercent(2.5) === '2.5%'`: stops keep the decimals they were typed with. */
export const formatStopPercent = (percent: number): string => `${percent}%`;

/** Whether a mark is at or past the trigger. */
const isTriggered = (kind: StopKind, trigger: number, mark: number): boolean =>
  kind === 'take_profit' ? mark >= trigger : mark <= trigger;

type StopPrices = { readonly entry: number | null; readonly highest: number | null; readonly mark: number | null };

/**
 * What a stop does, in one sentence, with its current trigger price. Without a percentage it explains the stop; without
 * a price it states no trigger.
 *
 * @param percent null for none
 * @param prices the entry (or the estimated one), the highest mark that a trailing stop counts from, the current mark
 */
export function stopSentence(kind: StopKind, percent: number | null, prices: StopPrices, symbol: string): string {
  const distance = percent === null ? t`this far` : formatStopPercent(percent);
  const way = {
    stop_loss: t`Sells when the price falls ${distance} below your entry price`,
    take_profit: t`Sells when the price rises ${distance} above your entry price`,
    trailing_stop: t`Sells when the price falls ${distance} from its highest price`,
  }[kind];
  const from = kind === 'trailing_stop' ? prices.highest : prices.entry;
  if (percent === null || from === null) return `${way}.`;
  const trigger = triggerPrice(kind, percent, from);
  if (prices.mark !== null && isTriggered(kind, trigger, prices.mark)) {
    return t`${way}: ${formatPrice(trigger, symbol)}. The price has already reached it, so the trade closes at the next price.`;
  }
  return t`${way}: now ${formatPrice(trigger, symbol)}.`;
}

const shortNames: Record<StopKind, string> = { stop_loss: t`stop`, take_profit: t`take`, trailing_stop: t`trail` };

/** The stops that are set, in short form: `stop 1%`, `take 2%`. */
export const setStops = (stops: StopPercents): { kind: StopKind; percent: number; words: string }[] =>
  stopKinds.flatMap((kind) => {
    const percent = stops[kind];
    return percent === null ? [] : [{ kind, percent, words: `${shortNames[kind]} ${formatStopPercent(percent)}` }];
  });

/** All in one line: `stop 1%, take 2%`; `none` without any. */
export const stopsLine = (stops: StopPercents): string =>
  setStops(stops)
    .map(({ words }) => words)
    .join(', ') || t`none`;

/** The first error as text, for a form with a single error line: `Stop-loss: In steps of 0.1%.` */
export function firstErrorText(errors: StopErrors): string {
  const kind = stopKinds.find((name) => errors[name] !== undefined);
  return kind === undefined ? '' : `${stopNames[kind]}: ${errors[kind]}`;
}
