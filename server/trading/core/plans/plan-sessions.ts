import { type ReasonCode, type ReasonFacts, reasonWords } from '#contract/trading/strategy.ts';

/** One session of a plan: amounts in micros; without a trade `result` is null and `words` say why. */
export type PlanHistory = readonly {
  readonly day: string;
  readonly trades: number;
  readonly result: bigint | null;
  readonly value: bigint;
  readonly words: string | null;
}[];

type Event = { readonly kind: string; readonly reason: string | null; readonly market_at: Date };
type Entry = {
  readonly session_day: string;
  readonly action: 'enter' | 'exit' | 'wait';
  readonly reason: ReasonCode;
  readonly facts: ReasonFacts;
};
type Traded = { readonly day: string; readonly trades: bigint; readonly result: bigint; readonly value: bigint };

export type PlanPast = {
  /** Settled sessions in which the plan existed, oldest first. */
  readonly days: readonly { readonly day: string; readonly opens_at: Date }[];
  /** What was put in, and what the plan was worth before the first of these days, if it had traded by then. */
  readonly amount: bigint;
  readonly valueBefore: bigint | undefined;
  readonly traded: readonly Traded[];
  readonly events: readonly Event[];
  /** The last entry decision of the plan's setting in a session. */
  readonly entries: readonly Entry[];
};

const pausedReasons: Readonly<Record<string, ReasonCode>> = {
  minimum: 'under_minimum',
  own_limit: 'own_limit',
  asset_off: 'asset_off',
};

/**
 * What each session did to a plan, and where it did nothing, why: because it was paused, because its strategy said so, or
 * because the engine skipped it (docs/product.md, section 3). Its value stays what it was after the trade before.
 *
 * 100 put in, +2 kept on Monday, paused on Tuesday: Monday (1 trade, +2, worth 102), Tuesday (no trade, worth 102,
 * "No entry: the plan is paused.").
 */
export function planSessions(past: PlanPast): PlanHistory {
  let value = past.valueBefore ?? past.amount;
  return past.days.map(({ day, opens_at }) => {
    const traded = past.traded.find((session) => session.day === day);
    if (traded === undefined) return { day, trades: 0, result: null, value, words: whyNot(past, day, opens_at) };
    value = traded.value;
    return { day, trades: Number(traded.trades), result: traded.result, value, words: null };
  });
}

function whyNot({ events, entries }: PlanPast, day: string, opensAt: Date): string {
  const last = events.filter(({ market_at, kind }) => market_at <= opensAt && kind !== 'stops_changed').at(-1);
  if (last?.kind === 'paused') return reasonWords(pausedReasons[last.reason ?? ''] ?? 'paused', {});
  const entry = entries.find(({ session_day }) => session_day === day);
  if (entry?.action === 'wait') return reasonWords(entry.reason, entry.facts);
  return 'No trade was opened in this session, and nothing was taken from the plan.';
}
