import { type IncomeKind, incomeKinds } from '#contract/income.ts';
import { orderOf } from './income-reasons.ts';
import { isMarketDay } from './periods.ts';

/** Identifies a row of the statement: the total of one kind on one market day. */
export type PayoutKey = { readonly day: string; readonly kind: IncomeKind };

/** `payoutCursor({ day: '2026-03-04', kind: 'team_profit' }) === '2026-03-04_team_profit'` */
export const payoutCursor = ({ day, kind }: PayoutKey): string => `${day}_${kind}`;

/** Parses a cursor; undefined when invalid. */
export function readPayoutCursor(cursor: string): PayoutKey | undefined {
  const day = cursor.slice(0, 10);
  const kind = incomeKinds.find((name) => cursor === payoutCursor({ day, kind: name }));
  return kind !== undefined && isMarketDay(day) ? { day, kind } : undefined;
}

/**
 * Sort order of the statement: later days first, then by kind. Negative when `one` comes first.
 * A reward of 2026-03-04 comes before the referral bonus of 2026-03-03 and after that of 2026-03-04.
 */
export function comparePayoutKeys(one: PayoutKey, other: PayoutKey): number {
  if (one.day !== other.day) return one.day > other.day ? -1 : 1;
  return orderOf(one.kind) - orderOf(other.kind);
}
