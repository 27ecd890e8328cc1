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

/** As a request that places something carries them: what is not set is not named. */
export const onlySet = (stops: StopPercents): Partial<StopPercents> =>
  Object.fromEntries(Object.entries(stops).filter(([, percent]) => percent !== null));

/** As a request that changes stops carries them: what stays is not named, so that a trailing stop keeps its high. */
export const onlyChanged = (before: StopPercents, after: StopPercents): Partial<StopPercents> =>
  Object.fromEntries(Object.entries(after).filter(([kind, percent]) => before[kind as StopKind] !== percent));

/** As the fields hold them while they are typed into. */
export type StopDraft = Readonly<Record<StopKind, string>>;
export type StopMistakes = Partial<Record<StopKind, string>>;

export const draftOf = (stops: StopPercents): StopDraft => ({
  stop_loss: String(stops.stop_loss ?? ''),
  take_profit: String(stops.take_profit ?? ''),
  trailing_stop: String(stops.trailing_stop ?? ''),
});

/** The contract's limits, whose schema never reaches a browser; the test holds the two together. */
const MAX: Record<StopKind, number> = { stop_loss: 99.9, take_profit: 1000, trailing_stop: 50 };
const STEP = 0.1;

/**
 * What was typed as stops, refused field by field with the words of the contract. An empty field is no stop.
 * `readStops({ stop_loss: '2', take_profit: '', trailing_stop: '60' })` says of the last: "From 0.1 to 50%."
 */
export function readStops(draft: StopDraft): { stops: StopPercents } | { mistakes: StopMistakes } {
  const stops = { ...noStops };
  const mistakes: StopMistakes = {};
  for (const kind of stopKinds) {
    if (draft[kind].trim() === '') continue;
    const percent = numberOf(draft[kind]);
    const mistake = mistakeOf(percent, MAX[kind]);
    if (mistake === null) stops[kind] = percent;
    else mistakes[kind] = mistake;
  }
  return Object.keys(mistakes).length === 0 ? { stops } : { mistakes };
}

function mistakeOf(percent: number, max: number): string | null {
  if (!Number.isFinite(percent)) return t`Enter a percentage.`;
  if (percent < STEP || percent > max) return t`From ${STEP} to ${max}%.`;
  return Math.abs(percent * 10 - Math.round(percent * 10)) < 1e-9 ? null : t`In steps of ${STEP}%.`;
}

/** What a field holds as a percentage, or null while it holds none that is allowed. */
export function percentOfDraft(kind: StopKind, draft: StopDraft): number | null {
  const percent = numberOf(draft[kind]);
  return mistakeOf(percent, MAX[kind]) === null ? percent : null;
}

const BPS = 10_000;

/** What a trade that opened at this mark would be bought at: half the spread above it (docs/product.md, section 3). */
export const entryAt = (mark: number, spreadBps: number): number => mark * (1 + spreadBps / 2 / BPS);

/**
 * The mark at which a stop is triggered: from the entry for a stop-loss and a take-profit, from the highest mark for a
 * trailing stop. `triggerPrice('stop_loss', 2, 100.05)` is 98.049, `triggerPrice('take_profit', 3, 100.05)` 103.0515
 */
export const triggerPrice = (kind: StopKind, percent: number, from: number): number =>
  from * (1 + (kind === 'take_profit' ? percent : -percent) / 100);

/** `stopPercentWords(2.5) === '2.5%'`: percents of stops are typed, so they keep the decimals they were typed with. */
export const stopPercentWords = (percent: number): string => `${percent}%`;

/** Whether a mark is at or past where the stop is triggered. */
const isTriggered = (kind: StopKind, trigger: number, mark: number): boolean =>
  kind === 'take_profit' ? mark >= trigger : mark <= trigger;

type StopPrices = { readonly entry: number | null; readonly highest: number | null; readonly mark: number | null };

/**
 * What a stop does, in one sentence, and at which price as things stand. Without a percentage it says what it is for;
 * without a price it says no price.
 *
 * @param percent null for none
 * @param prices the entry (or what it would be now), the highest mark a trailing stop would count from, the mark now
 */
export function stopSentence(kind: StopKind, percent: number | null, prices: StopPrices, symbol: string): string {
  const distance = percent === null ? t`this far` : stopPercentWords(percent);
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

/** The stops that are set, shortest first to read: `stop 1%`, `take 2%`. */
export const setStops = (stops: StopPercents): { kind: StopKind; percent: number; words: string }[] =>
  stopKinds.flatMap((kind) => {
    const percent = stops[kind];
    return percent === null ? [] : [{ kind, percent, words: `${shortNames[kind]} ${stopPercentWords(percent)}` }];
  });

/** All in one line: `stop 1%, take 2%`; `none` without any. */
export const stopsLine = (stops: StopPercents): string =>
  setStops(stops)
    .map(({ words }) => words)
    .join(', ') || t`none`;

/** One mistake in words, for where there is one line for all: `Stop-loss: In steps of 0.1%.` */
export function firstMistake(mistakes: StopMistakes): string {
  const kind = stopKinds.find((name) => mistakes[name] !== undefined);
  return kind === undefined ? '' : `${stopNames[kind]}: ${mistakes[kind]}`;
}
