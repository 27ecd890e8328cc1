import { type IncomeKind, incomeKinds } from '#contract/income.ts';
import { orderOf } from './income-reasons.ts';
import { isMarketDay } from './periods.ts';

/** A row of the statement: what one kind came to on one market day. */
export type PayoutPlace = { readonly day: string; readonly kind: IncomeKind };

/** `payoutCursor({ day: '2026-03-04', kind: 'team_profit' }) === '2026-03-04_team_profit'` */
export const payoutCursor = ({ day, kind }: PayoutPlace): string => `${day}_${kind}`;

/** The other way round; undefined says that the text is no cursor of a statement. */
export function readPayoutCursor(cursor: string): PayoutPlace | undefined {
  const day = cursor.slice(0, 10);
  const kind = incomeKinds.find((name) => cursor === payoutCursor({ day, kind: name }));
  return kind !== undefined && isMarketDay(day) ? { day, kind } : undefined;
}

/**
 * Order of a statement: later days first, and in a day as the kinds are named. Below 0 when `one` comes first.
 * A reward of 2026-03-04 comes before the referral bonus of 2026-03-03 and after that of 2026-03-04.
 */
export function comparePlaces(one: PayoutPlace, other: PayoutPlace): number {
  if (one.day !== other.day) return one.day > other.day ? -1 : 1;
  return orderOf(one.kind) - orderOf(other.kind);
}
