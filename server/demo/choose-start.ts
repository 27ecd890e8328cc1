const DAY_MS = 86_400_000;
/** Ten market minutes before the opening, as a market begins without a demo world. */
const START_MINUTE = 12 * 60 + 20;
const SATURDAY = 6;
const MONDAY = 1;

/**
 * Where the demo world's market begins: two days before a month that begins on a Saturday, Sunday or Monday, the last such
 * one before today. So a week and a month end within its four past sessions, and a newcomer finds incomes of every kind.
 * Started on 2026-11-21: 2026-10-30 12:20 UTC, because the first of November 2026 is a Sunday.
 */
export function chooseDemoStart(realNow: Date): Date {
  const month = new Date(Date.UTC(realNow.getUTCFullYear(), realNow.getUTCMonth(), 1));
  while (month.getUTCDay() > MONDAY && month.getUTCDay() < SATURDAY) month.setUTCMonth(month.getUTCMonth() - 1);
  return new Date(month.getTime() - 2 * DAY_MS + START_MINUTE * 60_000);
}
