import { Refused } from './refused.ts';

type Bounds<T> = { readonly from: T | undefined; readonly to: T | undefined };

/**
 * A requested period, `to` exclusive. Neither bound lies before 1970: nothing happened before, and one engine does not
 * support year 0.
 *
 * @throws Refused period_turned when it ends before it begins
 */
export function readPeriod({ from, to }: Partial<Bounds<string>>): Bounds<Date> {
  const period = { from: readBound(from), to: readBound(to) };
  if (period.from !== undefined && period.to !== undefined && period.to < period.from)
    throw new Refused('period_turned');
  return period;
}

const readBound = (instant: string | undefined): Date | undefined =>
  instant === undefined ? undefined : new Date(Math.max(0, Date.parse(instant)));
