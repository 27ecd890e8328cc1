const DAY_MS = 86_400_000;
/** Ten market minutes before the opening, as without a demo world. */
const START_MINUTE = 12 * 60 + 20;
const SATURDAY = 6;
const MONDAY = 1;

/**
 * Start of the demo world's market: two days before the latest month that starts on a Saturday, Sunday or Monday. A
 * week and a month then end within its four past sessions, and incomes of every kind are visible. Started on
 * 2026-11-21: 2026-10-30 12:20 UTC, because the first of November 2026 is a Sunday.
 */
export function chooseDemoStart(realNow: Date): Date {
  const month = new Date(Date.UTC(realNow.getUTCFullYear(), realNow.getUTCMonth(), 1));
  while (month.getUTCDay() > MONDAY && month.getUTCDay() < SATURDAY) month.setUTCMonth(month.getUTCMonth() - 1);
  return new Date(month.getTime() - 2 * DAY_MS + START_MINUTE * 60_000);
}
